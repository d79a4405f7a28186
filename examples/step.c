/* A whole step: two triangles approach each other. How far may they go, and what stops them? */
#include <graze/graze.h>

#include <stdio.h>

int main(void) {
    static const double x0[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {1.2, 0.2, 1.5}, {0.2, 1.2, 1.5}};
    static const double x1[6][3] = {{0, 0, 0},      {1, 0, 0},        {0, 1, 0},
                                    {0.2, 0.2, -1}, {1.2, 0.2, -0.5}, {0.2, 1.2, -0.5}};
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};

    graze_context *context;
    graze_mesh mesh = graze_default_mesh();
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    graze_status status = graze_mesh_from_faces(context, 6, faces, 2, &mesh);
    graze_step_result result = graze_default_step_result();
    if (status == GRAZE_OK) status = graze_step(context, &mesh, x0, x1, NULL, &result);
    if (status != GRAZE_OK) {
        graze_error error;
        graze_context_last_error(context, &error);
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s: nothing touches before t = %g\n", graze_verdict_name(result.verdict), result.toi);
    if (result.has_pair)
        printf("limited by %s %u and %u\n", result.limiting.pair.kind == GRAZE_VF ? "vertex and face" : "edges",
               (unsigned)result.limiting.pair.a, (unsigned)result.limiting.pair.b);

    /* positions to go on from: nothing touches on the way to them, as the doubles that they are */
    double x[6][3];
    graze_step_result taken = graze_default_step_result();
    if (graze_step_to(context, &mesh, x0, x1, NULL, x, &taken) != GRAZE_OK) return 1;
    printf("a step that may be taken: %.17g of the way, the tip at height %g\n", taken.alpha, x[3][2]);

    int good =
        result.verdict == GRAZE_HIT && result.toi <= 0.5 && result.toi > 0.49 && taken.alpha > 0.49 && x[3][2] > 0;
    graze_step_release(context, &result);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
    return good ? 0 : 1;
}
