/* A line search that neither raises the energy nor lets anything touch: a triangle is pulled towards a height that lies
 * beyond another one. */
#include <graze/graze.h>

#include <stdio.h>

/* Springs to z = −1 for the moving triangle. */
static double energy(void *user, const double (*x)[3]) {
    (void)user;
    double sum = 0;
    for (int i = 3; i < 6; i++) sum += (x[i][2] + 1) * (x[i][2] + 1);
    return sum;
}

int main(void) {
    static const double x0[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    static const double x1[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {1, 0, -1}, {0, 1, -1}};
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};

    graze_context *context;
    graze_mesh mesh = graze_default_mesh();
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    graze_line_search_options options = graze_default_line_search_options();
    graze_line_search_result result = graze_default_line_search_result();
    double x[6][3]; /* where the search ends */
    options.x = x;
    graze_status status = graze_mesh_from_faces(context, 6, faces, 2, &mesh);
    if (status == GRAZE_OK) status = graze_line_search(context, &mesh, x0, x1, energy, NULL, &options, &result);
    if (status != GRAZE_OK) {
        graze_error error;
        graze_context_last_error(context, &error);
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("from a distance of %g to a height of %g: ", result.distance, x[3][2]);
    printf("step length %g (free up to %g), energy %g after %u evaluations\n", result.alpha, result.alpha_free,
           result.energy, (unsigned)result.energy_calls);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
    /* they meet at half of the way */
    return result.alpha > 0 && result.alpha < 0.5 && result.energy < 12 && x[3][2] > 0 ? 0 : 1;
}
