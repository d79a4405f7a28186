/* Folders with links, and names and words from outside: each file once, and nothing that a terminal or JSON stumbles
   over. */
#include "check.h"

#include "io/file.h"
#include "io/folder.h"
#include "io/scan.h"
#include "io/text.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/graze-names-XXXXXX";

static const char *path_of(const char *name) {
    static char path[4][200];
    static int turn;
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void touch(const char *name) {
    FILE *stream = fopen(path_of(name), "w");
    CHECK(stream != NULL);
    if (stream) fclose(stream);
}

static size_t count_files(const char *name) {
    io_paths list = {0};
    io_error error = {""};
    CHECK_MSG(io_list_folder(path_of(name), ".csv", true, &list, &error), "%s", error.message);
    size_t count = list.count;
    io_free_paths(&list);
    return count;
}

TEST(links_in_circles_list_every_file_once) {
    mkdir(path_of("a"), 0777);
    mkdir(path_of("a/b"), 0777);
    touch("a/1.csv");
    touch("a/b/2.csv");
    CHECK(symlink("..", path_of("a/b/up")) == 0);
    CHECK(symlink(".", path_of("a/here")) == 0);
    CHECK(symlink(".", path_of("a/b/here")) == 0);
    CHECK(symlink("b", path_of("a/again")) == 0);
    CHECK(count_files("a") == 2);
}

/* 2^40 paths lead through these folders if each link is followed. */
TEST(many_links_to_one_folder_do_not_multiply) {
    mkdir(path_of("deep"), 0777);
    for (int i = 0; i < 40; i++) {
        char name[40], target[40];
        snprintf(name, sizeof name, "deep/%02d", i);
        snprintf(target, sizeof target, "../%02d", i + 1);
        mkdir(path_of(name), 0777);
        for (int k = 0; k < 2 && i < 39; k++) {
            char link[60];
            snprintf(link, sizeof link, "deep/%02d/to%d", i, k);
            CHECK(symlink(target, path_of(link)) == 0);
        }
    }
    touch("deep/39/x.csv");
    CHECK(count_files("deep") == 1);
}

TEST(folders_deeper_than_the_limit_are_an_error_and_not_left_out) {
    char name[1000] = "pit";
    mkdir(path_of(name), 0777);
    char path[1200];
    for (int i = 0; i < 102; i++) {
        strcat(name, "/d");
        snprintf(path, sizeof path, "%s/%s", folder, name);
        mkdir(path, 0777);
    }
    io_paths list = {0};
    io_error error = {""};
    CHECK(!io_list_folder(path_of("pit"), ".csv", true, &list, &error));
    CHECK_MSG(strstr(error.message, "more than 100"), "%s", error.message);
    io_free_paths(&list);
}

typedef struct visited {
    int count;
    char last[300];
} visited;

static bool visit(void *user, const char *name, bool *deeper, io_error *error) {
    visited *seen = user;
    (void)error;
    seen->count++;
    snprintf(seen->last, sizeof seen->last, "%s", name);
    size_t length = strlen(name);
    *deeper = !(length > 5 && strcmp(name + length - 5, "/shut") == 0);
    return true;
}

TEST(a_walk_comes_to_every_folder_once_and_not_below_those_that_are_taken_whole) {
    mkdir(path_of("walk"), 0777);
    mkdir(path_of("walk/open"), 0777);
    mkdir(path_of("walk/shut"), 0777);
    mkdir(path_of("walk/shut/inner"), 0777);
    CHECK(symlink("../..", path_of("walk/open/up")) == 0 && symlink(".", path_of("walk/round")) == 0);
    CHECK(symlink("../walk", path_of("walk/open/again")) == 0);
    visited seen = {0};
    io_error error = {""};
    CHECK(unlink(path_of("walk/open/up")) == 0); /* it leads out of what is looked at */
    CHECK_MSG(io_walk_folders(path_of("walk"), visit, &seen, &error), "%s", error.message);
    CHECK_MSG(seen.count == 3 && strstr(seen.last, "walk/shut"), "%d folders, the last %s", seen.count, seen.last);
}

TEST(the_kind_of_queries_is_told_by_folder_then_name) {
    CHECK(io_query_kind_of("a/vertex-face/x-ee.csv") == 0 && io_query_kind_of("edge-edge/vf.csv") == 1);
    CHECK(io_query_kind_of("92vf.csv") == 0 && io_query_kind_of("a.b/92ee.csv") == 1);
    CHECK(io_query_kind_of("vertex-face/a/x.csv") == -1 && io_query_kind_of("v.csv") == -1 &&
          io_query_kind_of("") == -1);
}

static void expect_printable(const char *text, const char *expected) {
    char copy[100];
    strcpy(copy, text);
    io_make_printable(copy);
    CHECK_MSG(strcmp(copy, expected) == 0, "'%s', expected '%s'", copy, expected);
}

TEST(what_is_printed_has_no_control_characters_and_is_utf_8) {
    expect_printable("plain name.ply", "plain name.ply");
    expect_printable("gr\xc3\xb6\xc3\x9f"
                     "e \xe2\x80\xa6 \xf0\x9f\x98\x80",
                     "gr\xc3\xb6\xc3\x9f"
                     "e \xe2\x80\xa6 \xf0\x9f\x98\x80");
    expect_printable("\x1b[2J\r\n\t\x7f", "?[2J????");
    expect_printable("\xc2\x9b"
                     "31m",
                     "?31m"); /* a control character of eight bits */
    expect_printable("a\xff\xfe"
                     "b",
                     "a??b");                     /* never UTF-8 */
    expect_printable("\xc0\xaf", "??");           /* a slash, too long */
    expect_printable("\xed\xa0\x80", "???");      /* half of a pair */
    expect_printable("\xf4\x90\x80\x80", "????"); /* beyond U+10FFFF */
    expect_printable("cut \xe2\x80", "cut ??");
}

TEST(text_for_json_is_valid_utf_8_and_keeps_what_is) {
    char *text = io_valid_text("a\xff"
                               "b\x1b\xc3\xb6\xe2\x80");
    CHECK(text && strcmp(text, "a\xef\xbf\xbd"
                               "b\x1b\xc3\xb6\xef\xbf\xbd\xef\xbf\xbd") == 0);
    free(text);
}

TEST(errors_are_one_printable_line_whatever_path_and_file_hold) {
    io_error error;
    io_fail(&error, "a\nb\x1b[31m.ply", 3, "found '%s'", "\x07\xff");
    CHECK_MSG(strcmp(error.message, "a?b?[31m.ply:3: found '?"
                                    "?'") == 0,
              "%s", error.message);
    io_scan scan = io_scan_open("x.obj", "\x1b]0;title\x07 1", 11, &error);
    double x;
    io_scan_line(&scan);
    CHECK(!io_scan_number(&scan, "a coordinate", &x));
    for (const char *c = error.message; *c; c++) CHECK((unsigned char)*c >= ' ');
}

TEST(a_long_path_keeps_its_end_and_says_that_it_is_cut) {
    char path[400];
    memset(path, 'x', 300);
    strcpy(path + 300, "/name.ply");
    io_error error;
    io_fail(&error, path, 7, "wrong");
    CHECK_MSG(strncmp(error.message, "…x", 4) == 0 && strstr(error.message, "/name.ply:7: wrong"), "%s", error.message);
}

int main(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (!strstr(folder, "XXXXXX") && system(command) != 0) status = 1;
    return status;
}
