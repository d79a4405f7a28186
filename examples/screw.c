/* A door is carried by its handle: it stands away from the hinge that it turns about. As a screw between two poses its
   edge sweeps an arc and meets the box in the corner; on the straight way between them it would pass. */
#include <graze/graze.h>

#include <stdio.h>

static graze_model *make(graze_context *context, graze_joint_kind joint, double x, double y, const double size[3]) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) corners[i][c] = i >> c & 1 ? size[c] : -size[c];
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = 8;
    mesh.face_count = 12;
    mesh.vertices = (const double(*)[3])corners;
    mesh.faces = faces;
    graze_link link = graze_default_link();
    link.joint = joint;
    link.origin.position[0] = x;
    link.origin.position[1] = y;
    link.meshes = &mesh;
    link.mesh_count = 1;
    graze_model *model = NULL;
    return graze_model_create(context, &link, 1, &model) == GRAZE_OK ? model : NULL;
}

int main(void) {
    const double door[3] = {0.45, 0.02, 1}, box[3] = {0.1, 0.1, 0.1};
    /* x, y and angle of the middle of the door; its hinge is at the origin */
    const double from[3] = {0.5, 0, 0}, to[3] = {0, 0.5, 1.5707963267948966};
    const uint8_t screw[1] = {1};
    graze_context *context = NULL;
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    graze_model *models[2] = {make(context, GRAZE_JOINT_PLANAR, 0, 0, door),
                              make(context, GRAZE_JOINT_FIXED, 0.72, 0.72, box)};
    graze_verdict verdicts[2] = {GRAZE_UNRESOLVED, GRAZE_UNRESOLVED};
    for (int i = 0; i < 2 && models[0] && models[1]; i++) {
        graze_motion motions[2] = {graze_default_motion(), graze_default_motion()};
        motions[0].from = from;
        motions[0].to = to;
        if (i) motions[0].screws = screw;
        graze_articulated_result result = graze_default_articulated_result();
        if (graze_articulated_step(context, (const graze_model *const *)models, 2, motions, NULL, &result) != GRAZE_OK)
            break;
        verdicts[i] = result.verdict;
        printf("%s: %s, t = %.9g\n", i ? "screw" : "straight", graze_verdict_name(result.verdict), result.toi);
        graze_articulated_release(context, &result);
    }
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
    return verdicts[0] == GRAZE_CLEAR && verdicts[1] == GRAZE_HIT ? 0 : 1;
}
