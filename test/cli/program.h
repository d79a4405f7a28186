/* The program from outside. It runs in a folder of the test's own, which is made at first use and removed at the end.
 *
 *     CHECK(run("step %s %s --json", before, after) == 0);
 *     expect_refusal(run("step a.obj"), "a.obj", "two frames");
 *     int main(int argc, char **argv) { return run_program_tests(argc, argv); } */
#ifndef GRAZE_TEST_PROGRAM_H
#define GRAZE_TEST_PROGRAM_H

#include "check.h"

#include <cjson/cJSON.h>

/* Output and errors of the last `run`. */
extern char *out, *err;

/* The path of a file in the test's folder, "." for the folder itself; good for the next three calls. */
const char *path_of(const char *name);
bool is_there(const char *name);
void make_folder(const char *name);
void write_file(const char *name, const char *text);
void write_bytes(const char *name, const char *bytes, size_t size);
/* The whole of a file, with a zero behind it, to be freed; empty after a failed check where there is none. */
char *read_file(const char *name, size_t *size);
/* `out` becomes the whole of that file. */
void look_into(const char *name);
/* `err` becomes what a command wrote to .err. */
void look_at_errors(void);
void expect_contents(const char *name, const char *text);

/* A shell command within the folder, where graze, or $graze, is the program; its exit status, or 128 + n when signal n
 * ended it.
 */
int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The program with these arguments, within the folder. */
int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A shell command whose words are taken as the program's are. */
int run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Seconds of a processor that commands have used so far: other processes hardly change them. */
double processor_seconds_of_commands(void);

size_t lines_of(const char *text);
void expect_status(int wanted, int status);
/* Bad input: exit 2, nothing on stdout, one line on stderr that has all the words. */
#define expect_refusal(status, ...) expect_refusal_with(__FILE__, __LINE__, status, (const char *[]){__VA_ARGS__, NULL})
void expect_refusal_with(const char *file, int line, int status, const char *const *words);

/* The one JSON object on stdout, to be deleted. */
cJSON *json(void);
/* A field by its path, "total.time_us.mean"; numbers of arrays are steps too: "files.0.kind". */
const cJSON *field(const cJSON *object, const char *path);
/* NaN where there is no number, "" where there is no text. */
double number_at(const cJSON *object, const char *path);
const char *text_at(const cJSON *object, const char *path);
/* A number of the object on stdout. */
double number_said(const char *path);
void expect_number(const cJSON *object, const char *path, double low, double high);
void expect_text(const cJSON *object, const char *path, const char *text);
void expect_null(const cJSON *object, const char *path);

int run_program_tests(int argc, char **argv);

#endif
