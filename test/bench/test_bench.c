/* graze bench from outside: the report is whole in every format, the scores are right, and hashes say the same thing
   for every number of threads and passes. */
#include "program.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Queries with truth and a small scene without, made once: quick to measure, and read like any public data. */
static const char *data(void) {
    static bool made;
    if (!made) {
        CHECK(run_shell("graze handcraft --out data/queries --count 3") == 0);
        CHECK(
            run_shell(
                "graze scene cloth-ball --out data/scenes/cloth --size 12 --frames 6 && cd data/scenes/cloth/frames && "
                "rm cloth-ball_[0-3].ply") == 0);
    }
    made = true;
    return "data";
}

/* ---- reading reports ---- */

static cJSON *parse(const char *name) {
    char *text = read_file(name, NULL);
    cJSON *object = text ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
    CHECK_MSG(cJSON_IsObject(object), "%s is not one JSON object", name);
    free(text);
    return object;
}

static const cJSON *get(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const cJSON *table(const cJSON *report, const char *id) {
    const cJSON *entry;
    cJSON_ArrayForEach(entry, get(report, "tables")) if (strcmp(get(entry, "id")->valuestring, id) == 0) return entry;
    CHECK_MSG(false, "there is no table %s", id);
    return NULL;
}

static int column(const cJSON *in, const char *id) {
    int index = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, get(in, "columns")) {
        if (strcmp(get(entry, "id")->valuestring, id) == 0) return index;
        index++;
    }
    CHECK_MSG(false, "there is no column %s", id);
    return 0;
}

/* The cell of a column in the first row whose column `key` has this text. */
static const cJSON *cell(const cJSON *in, const char *key, const char *value, const char *id) {
    const cJSON *row;
    cJSON_ArrayForEach(row, get(in, "rows")) {
        const cJSON *name = cJSON_GetArrayItem(row, column(in, key));
        if (cJSON_IsString(name) && strcmp(name->valuestring, value) == 0)
            return cJSON_GetArrayItem(row, column(in, id));
    }
    CHECK_MSG(false, "no row with %s = %s", key, value);
    return NULL;
}

static double number(const cJSON *in, const char *key, const char *value, const char *id) {
    const cJSON *found = cell(in, key, value, id);
    return cJSON_IsNumber(found) ? found->valuedouble : NAN;
}

/* ---- tests ---- */

TEST(what_cannot_be_run_is_refused_in_one_line) {
    expect_refusal(run("bench nonsense"), "narrow, separation, agreement, safe");
    expect_refusal(run("bench narow"), "did you mean narrow?");
    CHECK(run_shell("graze bench --help") == 0); /* offers what runs, and nothing else */
    char *help = read_file(".out", NULL);
    CHECK_MSG(help && strstr(help, "\n  narrow ") && strstr(help, "\n  all ") && strstr(help, "\n  gpu "), "%s", help);
    free(help);
    setenv("GRAZE_CUDA_LIBRARY", "/nowhere/libgraze_cuda.so", 1);
    expect_refusal(run("bench gpu --quick"), "no CUDA device");
    unsetenv("GRAZE_CUDA_LIBRARY");
    expect_refusal(run("bench narrow separation"), "one suite");
    expect_refusal(run("bench narrow --format pdf"), "html nor markdown");
    expect_refusal(run("bench narrow --methods ti,nonsense"), "nonsense");
    expect_refusal(run("bench narrow --methods ,"), "--methods");
    expect_refusal(run("bench narrow --time-budget -1"), "--time-budget");
    expect_refusal(run("bench narrow --repeat x"), "--repeat");
    expect_refusal(run("bench narrow --threads 2000"), "--threads");
    expect_refusal(run("bench narrow --seed"), "--seed");
    expect_refusal(run("bench narrow --fast"), "--fast");
    expect_refusal(run("bench narrow --data nowhere"), "nowhere");
    CHECK(run_shell("mkdir empty") == 0);
    expect_refusal(run("bench narrow --data empty"), "neither query files nor scene folders");
    CHECK(run_shell("mkdir -p odd && echo 1,2,3 >odd/avf.csv") == 0);
    expect_refusal(run("bench narrow --data odd"), "avf.csv");
    CHECK(run_shell("touch file") == 0);
    /* before the work, not after it, which would take hours */
    expect_refusal(run_shell("timeout 600 '%s' bench safe --cases 1000000000 --out file/below", GRAZE_PROGRAM_PATH),
                   "file: is a file, not a folder");
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = text; at && (at = strstr(at, word)); at++) count++;
    return count;
}

/* A figure has a drawing and its points beside the page, which leads to both; the number of its panels. */
static size_t check_figure(const char *where, const char *suite, const cJSON *figure, const char *html) {
    const char *id = get(figure, "id")->valuestring, *const suffixes[] = {"svg", "csv"}, *const axes[] = {"x", "y"};
    size_t points = 0, panels = 0;
    for (int i = 0; i < 2; i++) CHECK(get(get(figure, axes[i]), "title")->valuestring[0] != '\0');
    const cJSON *series, *before = NULL;
    cJSON_ArrayForEach(series, get(figure, "series")) {
        CHECK(cJSON_GetArraySize(get(series, "x")) == cJSON_GetArraySize(get(series, "y")));
        points += (size_t)cJSON_GetArraySize(get(series, "x"));
        panels += !before || !cJSON_Compare(get(series, "panel"), get(before, "panel"), 1);
        before = series;
    }
    CHECK_MSG(points > 0, "%s has no points", id);
    for (int i = 0; i < 2; i++) {
        char name[200], link[220];
        snprintf(name, sizeof name, "%s/bench-%s-%s.%s", where, suite, id, suffixes[i]);
        snprintf(link, sizeof link, "href=\"bench-%s-%s.%s\"", suite, id, suffixes[i]);
        char *text = read_file(name, NULL);
        CHECK_MSG(text && count_of(html, link) == 1, "%s", name);
        if (i == 0) CHECK(text && strncmp(text, "<svg xmlns=", 11) == 0 && strstr(text, "</svg>\n"));
        if (i == 1) CHECK_MSG(text && lines_of(text) == 1 + points, "%s: not %zu points", name, points);
        free(text);
    }
    return panels;
}

/* The figures of a report that answer to one of a paper's, in order. */
static void expect_figures(const cJSON *report, const char *paper, const int *numbers, int count) {
    int found = 0;
    const cJSON *figure;
    cJSON_ArrayForEach(figure, get(report, "plots")) {
        const char *source = cJSON_GetStringValue(get(figure, "paper"));
        if (!source || strncmp(source, paper, strlen(paper)) != 0) continue;
        char wanted[60];
        snprintf(wanted, sizeof wanted, "%s, figure %d", paper, numbers[found < count ? found : 0]);
        CHECK_MSG(found < count && strcmp(source, wanted) == 0, "%s, not %s", source, wanted);
        found++;
    }
    CHECK_MSG(found == count, "%d figures of %s, not %d", found, paper, count);
}

/* A figure by its id. */
static const cJSON *figure_of(const cJSON *report, const char *id) {
    const cJSON *figure;
    cJSON_ArrayForEach(figure, get(report, "plots")) if (strcmp(get(figure, "id")->valuestring, id) == 0) return figure;
    CHECK_MSG(false, "no figure %s", id);
    return NULL;
}

TEST(a_report_is_whole_as_json_csv_svg_and_html) {
    CHECK(run_shell(
              "graze bench narrow --quick --data %s --time-budget 0.05 --methods oracle,ti,tccd,accd --json --out r1",
              data()) == 0);
    cJSON *report = parse(".out"), *file = parse("r1/bench-narrow.json");
    CHECK(cJSON_Compare(report, file, 1));
    const char *const facts[] = {"machine", "isa", "commit", "seed", "command", "version", "date", "data"};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        CHECK_MSG(cJSON_IsString(get(get(report, "facts"), facts[i])), "%s", facts[i]);
    CHECK(strstr(get(get(report, "facts"), "command")->valuestring, "graze bench narrow --quick --data data") != NULL);
    CHECK(cJSON_IsFalse(get(report, "interrupted")));
    size_t tables = 0;
    const cJSON *each, *row;
    cJSON_ArrayForEach(each, get(report, "tables")) {
        tables++;
        int width = cJSON_GetArraySize(get(each, "columns"));
        cJSON_ArrayForEach(row, get(each, "rows")) CHECK(cJSON_GetArraySize(row) == width);
        /* the CSV has the same columns, three more, and the same rows; no field of it holds a comma but quoted ones */
        char name[200];
        snprintf(name, sizeof name, "r1/bench-narrow-%s.csv", get(each, "id")->valuestring);
        char *csv = read_file(name, NULL);
        CHECK_MSG(csv != NULL, "%s", name);
        if (!csv) continue;
        CHECK_MSG(lines_of(csv) == 1 + (size_t)cJSON_GetArraySize(get(each, "rows")), "%s", name);
        for (char *line = csv; *line; line = strchr(line, '\n') + 1) {
            int fields = 1;
            bool quoted = false;
            for (const char *at = line; *at != '\n'; at++) {
                if (*at == '"') quoted = !quoted;
                fields += *at == ',' && !quoted;
            }
            CHECK_MSG(fields == width + 4, "%s: %d fields, not %d", name, fields, width + 4);
        }
        CHECK(strstr(csv, ",machine,isa,commit,interrupted\n") != NULL);
        free(csv);
    }
    CHECK(tables >= 7);
    char *html = read_file("r1/bench-narrow.html", NULL);
    size_t figures = 0, panels = 0;
    cJSON_ArrayForEach(each, get(report, "plots")) {
        figures++;
        panels += check_figure("r1", "narrow", each, html);
    }
    CHECK(html && strncmp(html, "<!DOCTYPE html>", 15) == 0 && strstr(html, "</html>\n") != NULL);
    /* nothing is fetched from anywhere */
    CHECK(html && !strstr(html, "<script src") && !strstr(html, "<img") && !strstr(html, "@import"));
    CHECK(html && !strstr(html, "href=\"http"));
    CHECK(figures > 5 && count_of(html, "<figure ") == figures && count_of(html, "<svg viewBox") == panels);
    const int tight[] = {7, 7, 8, 15, 8, 15, 9, 9, 9}, scalable[] = {7, 7};
    expect_figures(report, "Tight Inclusion", tight, 9);
    expect_figures(report, "Scalable CCD", scalable, 2);
    /* what was found stands at the top, and there are contents */
    CHECK(cJSON_GetArraySize(get(report, "headlines")) >= 2 && count_of(html, "<nav ") == 1);
    CHECK(count_of(html, "<p class=\"headline\">") == (size_t)cJSON_GetArraySize(get(report, "headlines")));
    free(html);
    cJSON_Delete(report);
    cJSON_Delete(file);
}

/* The bench measures all methods that the program lists: one that is added is in both. */
TEST(every_method_of_the_build_has_its_row) {
    CHECK(run_shell("graze info --json >i.json; graze bench narrow --quick --time-budget 0.05 --out rm") == 0);
    cJSON *info = parse("i.json"), *report = parse("rm/bench-narrow.json");
    const cJSON *in = table(report, "handcrafted-vf"), *method;
    int count = 0;
    cJSON_ArrayForEach(method, get(info, "methods")) {
        const char *name = get(method, "name")->valuestring;
        CHECK_MSG(cell(in, "method", name, "covered") != NULL, "no row for %s", name);
        count++;
    }
    CHECK(count >= 15);
    cJSON_Delete(info);
    cJSON_Delete(report);
}

TEST(methods_are_scored_by_exact_truth) {
    CHECK(run_shell(
              "graze bench narrow --quick --data %s --time-budget 5 --methods certified,exact,oracle,rp,rrp,tccd --out "
              "r2 --json",
              data()) == 0);
    cJSON *report = parse(".out");
    const char *const sets[] = {"handcrafted-vf", "handcrafted-ee", "simulation-vf", "simulation-ee"};
    for (int i = 0; i < 4; i++) {
        const cJSON *in = table(report, sets[i]);
        const char *const right[] = {"exact", "oracle"};
        for (int k = 0; k < 2; k++) {
            CHECK(number(in, "method", right[k], "false_positives") == 0);
            CHECK(number(in, "method", right[k], "false_negatives") == 0);
            CHECK(number(in, "method", right[k], "unresolved") == 0);
        }
        CHECK(number(in, "method", "certified", "false_negatives") == 0);
        CHECK(number(in, "method", "tccd", "false_negatives") == 0);
        /* one decides parity in floating point, the other in integers: the same answers */
        CHECK(strcmp(cell(in, "method", "rp", "hash")->valuestring, cell(in, "method", "rrp", "hash")->valuestring) ==
              0);
        CHECK(strcmp(cell(in, "method", "exact", "hash")->valuestring,
                     cell(in, "method", "tccd", "hash")->valuestring) != 0);
        /* the same verdicts on these, but other times: times are part of the hash */
        if (number(in, "method", "certified", "false_positives") == 0 && i >= 2)
            CHECK(strcmp(cell(in, "method", "certified", "hash")->valuestring,
                         cell(in, "method", "exact", "hash")->valuestring) != 0);
        CHECK(number(in, "method", "exact", "mean_us") > 0);
        CHECK(number(in, "method", "exact", "max_us") >= number(in, "method", "exact", "median_us"));
    }
    /* handcrafted queries have grazing contacts and coplanar motion */
    CHECK(number(table(report, "handcrafted-vf"), "method", "rp", "false_negatives") > 0);
    CHECK(number(table(report, "handcrafted-vf"), "method", "tccd", "false_positives") > 0);
    const cJSON *scenes = table(report, "scenes");
    CHECK(number(scenes, "method", "exact", "covered") == number(scenes, "method", "exact", "candidates"));
    CHECK(number(scenes, "method", "exact", "false_positives") == 0);
    CHECK(number(scenes, "method", "exact", "false_negatives") == 0);
    CHECK(number(scenes, "method", "oracle", "exact_percent") == 100);
    CHECK(number(scenes, "method", "certified", "exact_percent") == 0);
    const cJSON *toi = table(report, "toi-error");
    CHECK(number(toi, "method", "exact", "largest_error") == 0);
    CHECK(number(toi, "method", "certified", "late") == 0);
    cJSON_Delete(report);
}

/* A vertex that falls through a triangle at t = 1/2, or beside it; with what column 7 claims. */
static void put_query(FILE *stream, bool inside, int claimed) {
    const char *x = inside ? "1,4" : "8,1";
    for (int time = 0; time < 2; time++)
        fprintf(stream, "%s,1,4,%d,1,%d\n0,1,0,1,0,1,%d\n1,1,0,1,0,1,%d\n0,1,1,1,0,1,%d\n", x, time ? -1 : 1, claimed,
                claimed, claimed, claimed);
}

static void put_file(const char *name, const bool *inside, const int *claimed, int count) {
    char path[300];
    CHECK(run_shell("mkdir -p %s/vertex-face", name) == 0);
    snprintf(path, sizeof path, "%s/vertex-face/q.csv", name);
    FILE *stream = fopen(path_of(path), "w");
    CHECK(stream != NULL);
    for (int i = 0; stream && i < count; i++) put_query(stream, inside[i], claimed[i]);
    if (stream) fclose(stream);
}

TEST(false_answers_are_counted_against_the_truth_column) {
    put_file("claims", (const bool[]){true, false, true, true}, (const int[]){1, 0, 0, 0}, 4);
    CHECK(run_shell("graze bench narrow --quick --data claims --time-budget 1 --methods exact --out r3 --json") == 0);
    cJSON *report = parse(".out");
    const cJSON *in = table(report, "handcrafted-vf");
    CHECK(number(in, "method", "exact", "covered") == 4);
    CHECK(number(in, "method", "exact", "false_positives") == 2);
    CHECK(number(in, "method", "exact", "false_negatives") == 0);
    in = table(report, "wrong-by-source");
    CHECK(number(in, "source", "claims", "false_positives") == 2);
    in = table(report, "toi-error");
    CHECK(number(in, "method", "exact", "hits") == 1);
    cJSON_Delete(report);
    /* a contact that is claimed and not there is a fault of the data, not of a method */
    put_file("wrong", (const bool[]){false}, (const int[]){1}, 1);
    expect_refusal(run("bench narrow --quick --data wrong --methods exact"), "does not");
}

TEST(hashes_do_not_depend_on_threads_passes_or_instructions) {
    const char *const isa[] = {"auto", "scalar"}, *const how[] = {"--threads 1 --repeat 1", "--threads 3 --repeat 4"};
    cJSON *reports[2];
    for (int i = 0; i < 2; i++) {
        CHECK(run_shell("GRAZE_ISA=%s graze bench narrow --quick --data %s --time-budget 5 --methods "
                        "certified,exact,safe,tccd %s --out r4 "
                        "--json",
                        isa[i], data(), how[i]) == 0);
        reports[i] = parse(".out");
    }
    const char *const tables[] = {"handcrafted-vf", "handcrafted-ee", "simulation-vf", "simulation-ee", "scenes"};
    const char *const methods[] = {"certified", "exact", "safe", "tccd"};
    for (int t = 0; t < 5; t++)
        for (int m = 0; m < 4; m++) {
            const cJSON *a = cell(table(reports[0], tables[t]), "method", methods[m], "hash");
            const cJSON *b = cell(table(reports[1], tables[t]), "method", methods[m], "hash");
            CHECK_MSG(cJSON_IsString(a) && cJSON_IsString(b) && strcmp(a->valuestring, b->valuestring) == 0, "%s %s",
                      tables[t], methods[m]);
        }
    for (int i = 0; i < 2; i++) cJSON_Delete(reports[i]);
}

TEST(a_method_without_time_says_how_far_it_came) {
    CHECK(run_shell("graze bench narrow --quick --data %s --time-budget 0.001 --methods uirf --out r5 --json",
                    data()) == 0);
    cJSON *report = parse(".out");
    const cJSON *in = table(report, "handcrafted-vf");
    double covered = number(in, "method", "uirf", "covered");
    CHECK_MSG(covered >= 1 && covered < 84, "%g", covered);
    CHECK(cJSON_IsNull(cell(in, "method", "uirf", "hash")));
    cJSON_Delete(report);
}

TEST(markdown_tables_are_well_formed) {
    CHECK(
        run_shell(
            "graze bench narrow --quick --data %s --time-budget 0.05 --methods oracle,ti,accd --format markdown --out "
            "r6",
            data()) == 0);
    char *text = read_file("r6/bench-narrow.md", NULL);
    CHECK(text && strncmp(text, "# graze bench narrow\n", 21) == 0);
    /* the path is the last line */
    CHECK(strstr(out, "r6/bench-narrow.md\n") == out + strlen(out) - strlen("r6/bench-narrow.md\n"));
    size_t bars = 0, tables = 0;
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        size_t here = 0;
        for (const char *at = line; at < end; at++) here += *at == '|' && (at == line || at[-1] != '\\');
        if (*line == '|') {
            CHECK_MSG(bars == 0 || here == bars, "%.*s", (int)(end - line), line);
            tables += bars == 0;
            bars = here;
            CHECK(end[-1] == '|');
        } else {
            CHECK_MSG(here == 0, "%.*s", (int)(end - line), line);
            bars = 0;
        }
        line = end + 1;
    }
    CHECK(tables >= 5 && count_of(text, "](bench-narrow-times-handcrafted.svg)") == 1);
    free(text);
}

TEST(separations_are_scored_in_both_norms) {
    CHECK(
        run_shell(
            "graze bench separation --quick --data %s --time-budget 2 --methods certified,exact,ti,msrf,fprf --out r7 "
            "--json",
            data()) == 0);
    cJSON *report = parse(".out");
    const char *const sets[] = {"handcrafted-vf", "handcrafted-ee", "simulation-vf", "simulation-ee"};
    size_t rows = 0, wide = 0;
    for (int i = 0; i < 4; i++) {
        char id[60];
        snprintf(id, sizeof id, "separation-%s", sets[i]);
        const cJSON *in = table(report, id), *row;
        int columns[6];
        const char *const names[] = {"method",          "separation",          "false_positives",
                                     "false_negatives", "false_negatives_max", "false_positives_max"};
        for (int k = 0; k < 6; k++) columns[k] = column(in, names[k]);
        cJSON_ArrayForEach(row, get(in, "rows")) {
            const char *method = cJSON_GetArrayItem(row, columns[0])->valuestring;
            double values[6];
            for (int k = 1; k < 6; k++) values[k] = cJSON_GetArrayItem(row, columns[k])->valuedouble;
            rows++;
            if (strcmp(method, "exact") == 0) CHECK_MSG(values[2] == 0 && values[3] == 0, "%s %g", id, values[1]);
            if (strcmp(method, "certified") == 0) CHECK_MSG(values[3] == 0, "%s %g", id, values[1]);
            if (strcmp(method, "ti") == 0) CHECK_MSG(values[3] == 0 && values[4] == 0, "%s %g", id, values[1]);
            wide += strcmp(method, "exact") == 0 && values[1] == 0.01 && values[4] > 0;
        }
    }
    CHECK(rows > 80);
    const cJSON *families = table(report, "separation-families"), *line;
    size_t judged = 0;
    cJSON_ArrayForEach(line, get(families, "rows")) {
        const char *method = cJSON_GetArrayItem(line, column(families, "method"))->valuestring;
        if (strcmp(method, "certified") != 0 && strcmp(method, "exact") != 0) continue;
        judged++;
        CHECK(cJSON_GetArrayItem(line, column(families, "contacts"))->valuedouble > 20);
        CHECK(cJSON_GetArrayItem(line, column(families, "false_negatives"))->valuedouble == 0);
        CHECK(cJSON_GetArrayItem(line, column(families, "unresolved"))->valuedouble == 0);
    }
    CHECK(judged == 12); /* 3 families, 2 kinds, 2 methods */
    /* a cube holds more than the ball in it: what is near by the maximum norm alone is no contact for `exact` */
    CHECK(wide > 0);
    cJSON_Delete(report);
}

TEST(the_cubic_test_misses_nothing_and_its_false_alarms_are_near) {
    CHECK(run_shell("graze bench safe --quick --cases 4000 --out r8 --json") == 0);
    cJSON *report = parse(".out");
    const cJSON *in = table(report, "safe-verdicts"), *row;
    size_t judged = 0;
    cJSON_ArrayForEach(row, get(in, "rows")) {
        if (strncmp(cJSON_GetArrayItem(row, column(in, "variant"))->valuestring, "safe", 4) != 0) continue;
        judged++;
        CHECK(cJSON_GetArrayItem(row, column(in, "false_negatives"))->valuedouble == 0);
        const char *const zero[] = {"late_toi", "beyond_bound"};
        for (int i = 0; i < 2; i++) {
            const cJSON *value = cJSON_GetArrayItem(row, column(in, zero[i]));
            CHECK(cJSON_IsNull(value) || value->valuedouble == 0);
        }
    }
    CHECK(judged == 12); /* 4 sets, 3 variants */
    cJSON_Delete(report);
}

/* Sum of a column over the rows that have a number there, and how many those are. */
static double sum(const cJSON *in, const char *id, size_t *rows) {
    double total = 0;
    const cJSON *row;
    *rows = 0;
    cJSON_ArrayForEach(row, get(in, "rows")) {
        const cJSON *value = cJSON_GetArrayItem(row, column(in, id));
        if (!cJSON_IsNumber(value)) continue;
        total += value->valuedouble;
        ++*rows;
    }
    return total;
}

TEST(no_broad_phase_misses_a_pair) {
    CHECK(run_shell("graze bench broad --quick --data %s --time-budget 0.1 --repeat 2 --out r10 --json", data()) == 0);
    cJSON *report = parse(".out");
    const cJSON *in = table(report, "broad-scenes");
    const char *const zero[] = {"missing", "extra", "contacts_missing"};
    size_t rows;
    for (int i = 0; i < 3; i++) CHECK(sum(in, zero[i], &rows) == 0 && rows >= 10);
    const char *const broads[] = {"brute", "sap", "isap", "grid", "gsap", "hash", "bvh", "kdtree", "tracy", "stq"};
    double pairs = number(in, "broad", "brute", "candidates_vf") + number(in, "broad", "brute", "candidates_ee");
    CHECK(pairs > 100);
    for (size_t i = 0; i < sizeof broads / sizeof *broads; i++) {
        CHECK(number(in, "broad", broads[i], "candidates_vf") + number(in, "broad", broads[i], "candidates_ee") ==
              pairs);
        CHECK(number(in, "broad", broads[i], "false_positives") <= pairs);
        CHECK(number(in, "broad", broads[i], "ms_1") <= number(in, "broad", broads[i], "ms_1_median"));
        CHECK(number(in, "broad", broads[i], "peak_mb") > 0);
    }
    in = table(report, "broad-exponents");
    for (size_t i = 0; i < sizeof broads / sizeof *broads; i++) CHECK(number(in, "broad", broads[i], "sizes") >= 1);
    in = table(report, "broad-frames");
    for (int i = 0; i < 3; i++) CHECK(sum(in, zero[i], &rows) == 0 && rows >= 5);
    const int figures[] = {3, 3, 3, 3, 5, 6};
    expect_figures(report, "Scalable CCD", figures, 6);
    cJSON_Delete(report);
    expect_refusal(run("bench broad --quick --data data/queries"), "no scene folders");
}

TEST(contacts_that_a_folder_lists_but_no_broad_phase_finds_are_counted) {
    /* two triangles far apart, and a list that claims that vertex 0 touches the second one: boxes 0 and 6 + 6 + 1 */
    CHECK(run_shell(
              "mkdir -p listed/frames listed/boxes listed/mma_bool && cd listed && printf '%%s\\n' ply 'format ascii "
              "1.0' "
              "'element vertex 6' 'property double x' 'property double y' 'property double z' 'element face 2' "
              "'property list uchar int vertex_indices' end_header '0 0 0' '1 0 0' '0 1 0' '0 0 9' '1 0 9' '0 1 9' "
              "'3 0 1 2' '3 3 4 5' >frames/0.ply && cp frames/0.ply frames/1.ply && echo '[[0,13]]' >boxes/0vf.json && "
              "echo '[true]' >mma_bool/0vf_mma_bool.json") == 0);
    CHECK(run_shell("graze bench broad --quick --data listed --time-budget 0.01 --repeat 1 --out r12 --json") == 0);
    cJSON *report = parse(".out");
    const cJSON *in = table(report, "broad-scenes");
    CHECK(number(in, "broad", "brute", "contacts_missing") == 1);
    CHECK(number(in, "broad", "brute", "missing") == 0);
    CHECK(number(in, "broad", "bvh", "contacts_missing") == 1);
    cJSON_Delete(report);
}

TEST(a_step_is_the_same_however_it_is_made) {
    CHECK(run_shell("graze bench step --quick --data %s --time-budget 0.3 --repeat 2 --out r11 --json", data()) == 0);
    cJSON *report = parse(".out");
    size_t rows;
    const cJSON *in = table(report, "step-differences");
    CHECK(sum(in, "differences", &rows) == 0 && rows == 9); /* 3 modes, 3 things that vary */
    CHECK(sum(in, "ended", &rows) == 0);
    CHECK(number(in, "varied", "threads", "variants") >= 8);
    CHECK(number(in, "varied", "broad phase", "variants") >= 10);
    in = table(report, "step-modes");
    const char *const modes[] = {"earliest", "any", "vertices", "all"};
    for (int i = 0; i < 4; i++) CHECK(number(in, "mode", modes[i], "ms_all") > 0);
    CHECK(number(in, "mode", "all", "toi") == number(in, "mode", "earliest", "toi"));
    CHECK(number(in, "mode", "all", "pairs") > 0);
    in = table(report, "step-around");
    CHECK(sum(in, "wrong", &rows) == 0 && rows == 8);
    const char *const calls[] = {"line search",          "mode vertices",       "first eighth of the step",
                                 "start violations",     "candidates",          "separation violated at the start",
                                 "static intersections", "contact at the start"};
    for (int i = 0; i < 8; i++) {
        CHECK(number(in, "call", calls[i], "ms_fresh") > 0 && number(in, "call", calls[i], "ms_kept") > 0);
        CHECK_MSG(i == 6 || number(in, "call", calls[i], "checked") > 0, "%s", calls[i]);
    }
    in = table(report, "step-unfused");
    CHECK(sum(in, "late", &rows) == 0 && rows == 3);
    CHECK(number(in, "method", "ti", "ratio") > 0);
    CHECK(number(in, "method", "certified", "exact_toi") >= number(in, "method", "certified", "step_toi"));
    in = table(report, "step-latency");
    const cJSON *row;
    cJSON_ArrayForEach(row, get(in, "rows")) {
        const char *what = cJSON_GetArrayItem(row, column(in, "case"))->valuestring;
        const char *mode = cJSON_GetArrayItem(row, column(in, "mode"))->valuestring;
        bool listed = strcmp(what, "touch") == 0 && strcmp(mode, "all") == 0; /* the list is the caller's */
        double later = cJSON_GetArrayItem(row, column(in, "allocations"))->valuedouble;
        CHECK_MSG(listed ? later > 0 : later == 0, "%s, %s: %g", what, mode, later);
        CHECK(cJSON_GetArrayItem(row, column(in, "first_allocations"))->valuedouble > 0);
    }
    CHECK(number(table(report, "step-exponents"), "mode", "earliest", "sizes") >= 1);
    const int figures[] = {8, 8, 9, 6, 10};
    expect_figures(report, "Scalable CCD", figures, 5);
    /* phases are shares of a whole */
    double share = 0;
    const cJSON *series;
    cJSON_ArrayForEach(series, get(figure_of(report, "step-phases"), "series")) share +=
        cJSON_GetArrayItem(get(series, "y"), 0)->valuedouble;
    CHECK_MSG(fabs(share - 100) < 1e-6, "%g %%", share);
    /* speed-up by threads, from 1 on, beside that of pairs alone */
    in = table(report, "step-threads");
    cJSON_ArrayForEach(row, get(in, "rows")) {
        double threads = cJSON_GetArrayItem(row, column(in, "threads"))->valuedouble;
        double speed_up = cJSON_GetArrayItem(row, column(in, "speed_up"))->valuedouble;
        double of_pairs = cJSON_GetArrayItem(row, column(in, "of_pairs"))->valuedouble;
        bool pairs = strcmp(cJSON_GetArrayItem(row, column(in, "what"))->valuestring, "pairs") == 0;
        CHECK(speed_up > 0 && of_pairs > 0 && (threads > 1 || speed_up == 1) && (!pairs || of_pairs == 1));
    }
    const char *const timed[] = {"pairs", "earliest", "earliest, fresh context", "all"};
    for (int i = 0; i < 4; i++) CHECK(number(in, "what", timed[i], "ms") >= number(in, "what", timed[i], "ms_least"));
    int curves = 0;
    cJSON_ArrayForEach(series, get(figure_of(report, "step-scaling"), "series")) {
        curves++;
        CHECK(cJSON_GetArrayItem(get(series, "x"), 0)->valuedouble == 1);
        CHECK(cJSON_GetArrayItem(get(series, "y"), 0)->valuedouble == 1);
    }
    CHECK(curves >= 5);
    /* a memory limit costs time, and no answer depends on it */
    in = table(report, "step-memory-limits");
    CHECK(sum(in, "limit_kb", &rows) > 0 && rows == 16);
    double toi = number(table(report, "step-modes"), "mode", "earliest", "toi");
    cJSON_ArrayForEach(row, get(in, "rows")) CHECK(cJSON_GetArrayItem(row, column(in, "toi"))->valuedouble == toi);
    cJSON_Delete(report);
}

#ifdef GRAZE_FAKE_LIBRARY
/* The sum over the series of one bar. */
static double bar(const cJSON *figure, int at) {
    double sum = 0;
    const cJSON *series;
    cJSON_ArrayForEach(series, get(figure, "series")) sum += cJSON_GetArrayItem(get(series, "y"), at)->valuedouble;
    return sum;
}

/* By a back end without a device, which answers as the CPU does. */
TEST(the_gpu_suite_says_which_answer_was_different_first) {
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", "cpu", 1);
    setenv("GRAZE_FAKE_WRONG", "1", 1);
    CHECK(run_shell("CUDA_VISIBLE_DEVICES= graze bench gpu --quick --time-budget 0.01 --repeat 1 --data %s --out wrong",
                    data()) == 0);
    unsetenv("GRAZE_FAKE_WRONG");
    unsetenv("GRAZE_FAKE");
    unsetenv("GRAZE_CUDA_LIBRARY");
    char *html = read_file("wrong/bench-gpu.html", NULL);
    CHECK(html && count_of(html, "CPU and GPU DIFFER in ") > 0 && count_of(html, " candidates") > 0);
    CHECK(html && count_of(html, "gave the same bits") == 0);
    free(html);
}

TEST(the_gpu_suite_compares_answers_and_draws_its_figures) {
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", "cpu", 1);
    /* without memory of a real device */
    CHECK(run_shell("CUDA_VISIBLE_DEVICES= graze bench gpu --quick --time-budget 0.01 --repeat 1 --device 0 --data %s "
                    "--out gpu",
                    data()) == 0);
    expect_refusal(run("bench gpu --quick --device 4"), "device 4 was not made");
    unsetenv("GRAZE_FAKE");
    unsetenv("GRAZE_CUDA_LIBRARY");
    cJSON *report = parse("gpu/bench-gpu.json");
    char *html = read_file("gpu/bench-gpu.html", NULL);
    CHECK(html && count_of(html, "CPU and GPU gave the same bits in all of ") > 0);
    const int figures[] = {8, 8, 9, 5, 10};
    expect_figures(report, "Scalable CCD", figures, 5);
    const cJSON *figure;
    cJSON_ArrayForEach(figure, get(report, "plots")) CHECK(check_figure("gpu", "gpu", figure, html) >= 1);
    /* one step of the scene by three ways; both bars of stages are shares of a whole */
    const cJSON *phases = figure_of(report, "gpu-phases");
    CHECK(cJSON_GetArraySize(get(figure_of(report, "gpu-frames-time"), "series")) == 3);
    CHECK(fabs(bar(phases, 0) - 100) < 1e-6 && fabs(bar(phases, 1) - 100) < 1e-6);
    CHECK(cJSON_GetArraySize(get(figure_of(report, "gpu-growth-time"), "series")) == 4);
    CHECK(number(table(report, "gpu-scenes"), "mode", "all", "ms_gpu") > 0);
    CHECK(number(table(report, "gpu-places"), "mode", "all", "ms_uploaded") > 0);
    free(html);
    cJSON_Delete(report);
}
#endif

#ifdef GRAZE_STOPPING_PLUGIN
TEST(an_interrupted_run_writes_what_there_is) {
    CHECK(run_shell("'%s' bench narrow --quick --methods certified --plugin '%s' --out r9", GRAZE_PROGRAM_PATH,
                    GRAZE_STOPPING_PLUGIN) == 128 + SIGINT);
    cJSON *report = parse("r9/bench-narrow.json");
    CHECK(cJSON_IsTrue(get(report, "interrupted")));
    char *html = read_file("r9/bench-narrow.html", NULL);
    CHECK(html && strstr(html, "Interrupted") && strstr(html, "</html>"));
    free(html);
    char *csv = read_file("r9/bench-narrow-handcrafted-vf.csv", NULL); /* every row says so */
    const char *first = csv ? strchr(csv, '\n') : NULL;
    CHECK_MSG(first && strstr(csv, ",interrupted\n") && strstr(first + 1, ",1\n") && !strstr(first + 1, ",0\n"), "%s",
              csv ? csv : "no such file");
    free(csv);
    cJSON_Delete(report);
}
#endif

/* `graze bench all` puts all suites on one page and into one folder. */
TEST(tables_and_figures_of_all_suites_have_names_of_their_own) {
    static const char *const suites[] = {"narrow", "separation", "safe",  "agreement",
                                         "broad",  "step",       "scale", "articulated"};
    enum { MOST = 200 };
    char *names[MOST];
    size_t count = 0;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        CHECK(run_shell("graze bench %s --quick --time-budget 0.01 --repeat 1 --cases 200 --data %s --out ids --json",
                        suites[i], data()) == 0);
        cJSON *report = parse(".out");
        const char *const lists[] = {"tables", "plots"};
        for (int k = 0; k < 2; k++) {
            const cJSON *each;
            cJSON_ArrayForEach(each, get(report, lists[k])) if (count < MOST) names[count++] =
                strdup(get(each, "id")->valuestring);
        }
        cJSON_Delete(report);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) CHECK_MSG(strcmp(names[i], names[k]) != 0, "%s twice", names[i]);
    CHECK(count > 40 && count < MOST);
    for (size_t i = 0; i < count; i++) free(names[i]);
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
