/* Any bytes as a scene of the simulator. An error ends the program there: here the linker sends app_fail back. */
#include "fuzz/seeds.h"

#include "sim/reader/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static jmp_buf failed;

_Noreturn void __wrap_app_fail(const char *format, ...);
_Noreturn void __wrap_app_fail(const char *format, ...) {
    char message[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fuzz_check_line(message);
    longjmp(failed, 1);
}

/* Memory is not freed after an error: the program would have ended. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static graze_context *context;
    if (!context && graze_context_create(NULL, &context) != GRAZE_OK) abort();
    io_source source = fuzz_source(GRAZE_FUZZ_SEEDS "/beside/scene.json", data, size);
    sim_scene *scene = calloc(1, sizeof *scene);
    if (!scene) abort();
    if (setjmp(failed) == 0) {
        sim_scene_read(scene, source.name, source.bytes, 1e-9, context); /* shapes as coarse as can be */
        sim_scene_free(scene, context);
    }
    free(scene);
    free((char *)source.bytes);
    return 0;
}
