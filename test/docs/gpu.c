/* Runs the step of docs/gpu.md by a back end whose device is this machine's own memory (test/step/fake_backend.c). */
#include <stdio.h>
#include <stdlib.h>

int setenv(const char *name, const char *value, int replace); /* POSIX, not C11 */

int main(void) {
    static const double x0[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}};
    static const double x1[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}};
    static const uint32_t faces[1][3] = {{0, 1, 2}};
    char library[1000];
    snprintf(library, sizeof library, "%s/test/libgraze_fake_backend.so", getenv("GRAZE_BUILD"));
    setenv("GRAZE_CUDA_LIBRARY", library, 1);
    setenv("GRAZE_FAKE", "ask", 1);
    graze_context *context;
    graze_mesh mesh = graze_default_mesh();
    graze_step_result result = graze_default_step_result();
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    if (graze_mesh_from_faces(context, 4, faces, 1, &mesh) != GRAZE_OK) return 2;
    if (step_on_the_device(context, &mesh, x0, x1, NULL, &result) != GRAZE_OK) return 3;
    int right = result.verdict == GRAZE_HIT && result.toi > 0.49 && result.toi <= 0.5 && result.pair_count == 1 &&
                !result.pairs && result.device_pairs && result.device_pairs[0].pair.a == 3;
    graze_step_release(context, &result);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
    return right ? 0 : 4;
}
