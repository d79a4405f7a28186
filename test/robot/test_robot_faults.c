/* Reading a robot while memory runs out: each allocation of the reader is refused in turn, and it says so in a line.
   The linker puts the functions below in the place of malloc (test/CMakeLists.txt). */
#include "check.h"

#include "graze/robot.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static long left = -1; /* −1: as many as are asked for */
static bool refused;

static bool refuses(void) {
    if (left < 0) return false;
    refused |= left == 0;
    if (left > 0) left--;
    return refused; /* this one, and all after it */
}

void *__wrap_malloc(size_t size) { return refuses() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refuses() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *block, size_t size) { return refuses() ? NULL : __real_realloc(block, size); }

/* True where nothing was refused. */
static bool load_with(long allocations, const char *path) {
    graze_robot *robot = NULL;
    graze_robot_error error;
    left = allocations;
    refused = false;
    graze_status status = graze_robot_load(path, NULL, &robot, &error);
    left = -1;
    if (refused)
        CHECK_MSG(status != GRAZE_OK && !robot && error.message[0] && !strchr(error.message, '\n'),
                  "%ld allocations: %s, '%s'", allocations, graze_status_name(status), error.message);
    else
        CHECK_MSG(status == GRAZE_OK && robot, "%s", error.message);
    graze_robot_free(robot);
    return !refused;
}

TEST(a_robot_is_whole_or_refused_by_a_line_when_memory_runs_out) {
    CHECK(load_with(-1, GRAZE_FUZZ_SEEDS "/beside/r.urdf"));
    long allocations = 0;
    while (allocations < 5000 && !load_with(allocations, GRAZE_FUZZ_SEEDS "/beside/r.urdf")) allocations++;
    printf("      %ld allocations\n", allocations);
    CHECK(allocations > 10 && allocations < 5000);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
