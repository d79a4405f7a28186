/* The C side of two comparisons: the bits that Python gets, and what a call costs.

       c_calls batch KIND COUNT IN OUT    IN: x0 and x1 of all queries; OUT: their graze_result
       c_calls step VERTICES FACES IN OUT IN: x0, x1, faces; OUT: one graze_step_result

   The call is made once, and then again for each line of standard input; its CPU time goes to standard output. */
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail(const char *what) {
    fprintf(stderr, "c_calls: %s\n", what);
    exit(2);
}

static void check(graze_status status) {
    if (status != GRAZE_OK) fail(graze_status_name(status));
}

static void *read_from(FILE *file, size_t size, size_t count) {
    void *bytes = malloc(size * count + 1);
    if (!bytes || fread(bytes, size, count, file) != count) fail("the input is too short");
    return bytes;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static graze_context *context;

/* ---- a batch ---- */

static graze_kind kind;
static size_t count;
static graze_query_arrays arrays;
static graze_result *results;

static void read_batch(FILE *in, const char *kind_name) {
    if (!graze_kind_find(kind_name, &kind)) fail("no such kind");
    arrays = graze_default_query_arrays();
    arrays.x0 = read_from(in, 96, count);
    arrays.x1 = read_from(in, 96, count);
    results = calloc(count + 1, sizeof *results);
    if (!results) fail("no memory");
}

static void run_batch(void) {
    check(graze_ccd_batch_strided(context, kind, &arrays, count, NULL, results, sizeof *results));
}

/* ---- a step ---- */

static graze_mesh mesh;
static double (*x0)[3], (*x1)[3];
static graze_step_result step;

static void read_step(FILE *in, uint32_t vertices, uint32_t faces) {
    x0 = read_from(in, sizeof *x0, vertices);
    x1 = read_from(in, sizeof *x1, vertices);
    mesh = graze_default_mesh();
    check(graze_mesh_from_faces(context, vertices, read_from(in, 12, faces), faces, &mesh));
}

static void run_step(void) {
    step = graze_default_step_result();
    check(graze_step(context, &mesh, (const double(*)[3])x0, (const double(*)[3])x1, NULL, &step));
}

int main(int argc, char **argv) {
    if (argc != 6) fail("six arguments");
    int batch = strcmp(argv[1], "batch") == 0;
    FILE *in = fopen(argv[4], "rb"), *out = fopen(argv[5], "wb");
    if (!in || !out) fail("a file cannot be opened");
    check(graze_context_create(NULL, &context));
    count = (size_t)strtoull(argv[3], NULL, 10);
    if (batch)
        read_batch(in, argv[2]);
    else
        read_step(in, (uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)count);
    void (*run)(void) = batch ? run_batch : run_step;
    run();
    if (batch)
        fwrite(results, sizeof *results, count, out);
    else
        fwrite(&step, sizeof step, 1, out);
    if (fclose(out)) fail("the output cannot be written");
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        double begin = cpu_seconds();
        run();
        printf("%.9f\n", cpu_seconds() - begin);
        fflush(stdout);
    }
    return 0;
}
