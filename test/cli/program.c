#include "program.h"

#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *out, *err;

static char folder[300];

/* ---- files ---- */

static const char *own_folder(void) {
    if (folder[0]) return folder;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/graze-test-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(2);
    }
    return folder;
}

const char *path_of(const char *name) {
    static char paths[4][600];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", own_folder(), name);
    return paths[turn];
}

bool is_there(const char *name) { return access(path_of(name), F_OK) == 0; }

void make_folder(const char *name) { CHECK_MSG(mkdir(path_of(name), 0777) == 0 || is_there(name), "%s", name); }

void write_bytes(const char *name, const char *bytes, size_t size) {
    FILE *stream = fopen(path_of(name), "wb");
    CHECK_MSG(stream && fwrite(bytes, 1, size, stream) == size, "%s", name);
    if (stream) fclose(stream);
}

void write_file(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

static size_t size_of(FILE *stream) {
    struct stat facts;
    return stream && fstat(fileno(stream), &facts) == 0 && facts.st_size > 0 ? (size_t)facts.st_size : 0;
}

char *read_file(const char *name, size_t *size) {
    FILE *stream = fopen(path_of(name), "rb");
    size_t wanted = size_of(stream);
    char *bytes = calloc(wanted + 1, 1);
    CHECK_MSG(stream && bytes && fread(bytes, 1, wanted, stream) == wanted, "%s", name);
    if (stream) fclose(stream);
    if (size) *size = wanted;
    return bytes;
}

void look_into(const char *name) {
    free(out);
    out = read_file(name, NULL);
}

void look_at_errors(void) {
    free(err);
    err = read_file(".err", NULL);
}

void expect_contents(const char *name, const char *text) {
    char *there = read_file(name, NULL);
    CHECK_MSG(strcmp(there, text) == 0, "%s holds: %s", name, there);
    free(there);
}

/* ---- running ---- */

static int run_command(const char *before, const char *format, va_list list, const char *after) {
    char words[4000], command[6000];
    vsnprintf(words, sizeof words, format, list);
    snprintf(command, sizeof command, "cd '%s' && graze='%s' && graze() { \"$graze\" \"$@\"; } && %s%s%s", own_folder(),
             GRAZE_PROGRAM_PATH, before, words, after);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void take_what_was_said(void) {
    look_into(".out");
    look_at_errors();
}

int shell(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int status = run_command("", format, list, "");
    va_end(list);
    return status;
}

int run(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int status = run_command("\"$graze\" ", format, list, " >.out 2>.err");
    va_end(list);
    take_what_was_said();
    return status;
}

int run_shell(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int status = run_command("{ ", format, list, "\n} >.out 2>.err");
    va_end(list);
    take_what_was_said();
    return status;
}

double processor_seconds_of_commands(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* ---- what it said ---- */

size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

void expect_status(int wanted, int status) { CHECK_MSG(status == wanted, "status %d: %s%s", status, out, err); }

void expect_refusal_with(const char *file, int line, int status, const char *const *words) {
    size_t length = strlen(err);
    bool good = status == 2 && out[0] == '\0' && lines_of(err) == 1 && err[length - 1] == '\n';
    for (; *words; words++) good = good && strstr(err, *words) != NULL;
    if (!good) test_failed(file, line, "status %d, stdout: %s, stderr: %s", status, out, err);
}

cJSON *json(void) {
    size_t length = strlen(out);
    CHECK(length > 0 && out[length - 1] == '\n' && lines_of(out) == 1);
    cJSON *object = cJSON_ParseWithLengthOpts(out, length ? length - 1 : 0, NULL, 0);
    CHECK_MSG(cJSON_IsObject(object), "not one JSON object: %s", out);
    return object;
}

const cJSON *field(const cJSON *object, const char *path) {
    char name[80];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_IsArray(object) ? cJSON_GetArrayItem(object, atoi(name))
                                       : cJSON_GetObjectItemCaseSensitive(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

double number_at(const cJSON *object, const char *path) {
    const cJSON *item = field(object, path);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *text_at(const cJSON *object, const char *path) {
    const cJSON *item = field(object, path);
    return cJSON_IsString(item) ? item->valuestring : "";
}

double number_said(const char *path) {
    cJSON *object = cJSON_Parse(out);
    double value = number_at(object, path);
    cJSON_Delete(object);
    return value;
}

void expect_number(const cJSON *object, const char *path, double low, double high) {
    double value = number_at(object, path);
    CHECK_MSG(value >= low && value <= high, "%s is %g, not in [%g, %g]", path, value, low, high);
}

void expect_text(const cJSON *object, const char *path, const char *text) {
    CHECK_MSG(cJSON_IsString(field(object, path)) && strcmp(text_at(object, path), text) == 0, "%s is %s, not %s", path,
              text_at(object, path), text);
}

void expect_null(const cJSON *object, const char *path) {
    CHECK_MSG(cJSON_IsNull(field(object, path)), "%s is not null", path);
}

int run_program_tests(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    free(out);
    free(err);
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return folder[0] && system(command) != 0 ? 2 : status;
}
