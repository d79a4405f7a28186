#include "step/search.h"

#include "step/kept_reach.h"

static const gz_box *pick_boxes(gz_step_call *call, gz_slot slot, const gz_box *from, const uint32_t *ids,
                                uint32_t count) {
    gz_box *picked = gz_reserve(call->context, call->workspace, slot, count, sizeof *picked);
    for (uint32_t i = 0; picked && i < count; i++) picked[i] = from[ids[i]];
    return picked;
}

gz_box_input gz_step_box_input(const gz_step_call *call) {
    return (gz_box_input){.mesh = call->mesh,
                          .x0 = call->positions.x0,
                          .x1 = call->positions.x1,
                          .stride = call->positions.stride,
                          .grow = gz_half_up(call->question.separation),
                          .t_max = call->question.t_max};
}

static graze_status primitive_boxes(gz_step_call *call) {
    graze_context *context = call->context;
    const graze_mesh *mesh = call->mesh;
    gz_box *edges = gz_reserve(context, call->workspace, GZ_SLOT_EDGE_BOXES, mesh->edge_count, sizeof *edges);
    gz_box *faces = gz_reserve(context, call->workspace, GZ_SLOT_FACE_BOXES, mesh->face_count, sizeof *faces);
    if (!edges || !faces) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_edge_boxes(context, mesh, call->vertices, edges);
    gz_face_boxes(context, mesh, call->vertices, faces);
    const gz_box *points = NULL, *codim_edges = NULL;
    if (mesh->codim_point_count) {
        points = pick_boxes(call, GZ_SLOT_POINT_BOXES, call->vertices, mesh->codim_points, mesh->codim_point_count);
        codim_edges = pick_boxes(call, GZ_SLOT_CODIM_EDGE_BOXES, edges, mesh->codim_edges, mesh->codim_edge_count);
        if (!points || !codim_edges) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    call->sets[GRAZE_VF][0].boxes = call->vertices;
    call->sets[GRAZE_VF][1].boxes = call->sets[GZ_FF][0].boxes = call->sets[GZ_FF][1].boxes = faces;
    call->sets[GRAZE_EE][0].boxes = call->sets[GRAZE_EE][1].boxes = edges;
    call->sets[GRAZE_PE][0].boxes = call->sets[GRAZE_PP][0].boxes = call->sets[GRAZE_PP][1].boxes = points;
    call->sets[GRAZE_PE][1].boxes = codim_edges;
    return GRAZE_OK;
}

graze_status gz_step_vertex_boxes(gz_step_call *call) {
    gz_box *vertices =
        gz_reserve(call->context, call->workspace, GZ_SLOT_VERTEX_BOXES, call->mesh->vertex_count, sizeof *vertices);
    if (!vertices) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_box_input input = gz_step_box_input(call);
    gz_vertex_boxes(call->context, &input, vertices);
    call->vertices = vertices;
    return GRAZE_OK;
}

/* Trees from the vertices' boxes, or, where there are none, from boxes in float. */
static graze_status open_trees(gz_step_call *call) {
    call->source = (gz_tree_source){.context = call->context,
                                    .workspace = call->workspace,
                                    .mesh = call->mesh,
                                    .vertices = call->vertices,
                                    .input = gz_step_box_input(call),
                                    .window = call->question.t_max};
    call->trees = &call->source;
    gz_kept_measure(call);
    return gz_tree_open(call->trees) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static void fill_sets(gz_step_call *call) {
    const graze_mesh *mesh = call->mesh;
    gz_set points = {.ids = mesh->codim_points, .count = mesh->codim_point_count};
    call->sets[GRAZE_VF][0] = (gz_set){.count = mesh->vertex_count};
    call->sets[GRAZE_VF][1] = (gz_set){.count = mesh->face_count};
    call->sets[GRAZE_EE][0] = call->sets[GRAZE_EE][1] = (gz_set){.count = mesh->edge_count};
    call->sets[GZ_FF][0] = call->sets[GZ_FF][1] = call->sets[GRAZE_VF][1];
    call->sets[GRAZE_PE][0] = call->sets[GRAZE_PP][0] = call->sets[GRAZE_PP][1] = points;
    call->sets[GRAZE_PE][1] = (gz_set){.ids = mesh->codim_edges, .count = mesh->codim_edge_count};
}

graze_status gz_step_open_trees(gz_step_call *call) {
    fill_sets(call);
    call->vertices = NULL;
    return open_trees(call);
}

graze_status gz_step_boxes(gz_step_call *call, bool coarse) {
    if (call->mesh->vertex_count == 0) return GRAZE_OK; /* no kind of pair is looked for */
    bool trees = gz_broad_from_vertices(call->options.broad);
    graze_status status = GRAZE_OK;
    if (trees && coarse) {
        status = gz_step_open_trees(call);
    } else {
        status = gz_step_vertex_boxes(call);
        if (status != GRAZE_OK) return status;
        fill_sets(call);
        status = trees ? open_trees(call) : primitive_boxes(call);
    }
    if (trees && status == GRAZE_OK) gz_tree_renew(call->trees);
    return status;
}

graze_status gz_step_search(const gz_step_call *call, graze_kind kind, bool interrupted, gz_sink *sink, void *state) {
    gz_broad_request request = {
        .context = call->context,
        .workspace = call->workspace,
        .mesh = call->mesh,
        .broad = call->options.broad,
        .kind = kind,
        .a = call->sets[kind][0],
        .b = call->sets[kind][1],
        .vertices = call->vertices,
        .trees = call->trees,
        .interrupted = interrupted,
        .room = call->room,
        .sink = sink,
        .sink_state = state,
    };
    return gz_broad_run(&request);
}

bool gz_step_is_candidate(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]) {
    gz_box_input input = gz_step_box_input(call);
    gz_box sides[2] = {gz_box_empty(), gz_box_empty()}, box;
    int rows = gz_kind_rows(kind), in_a = gz_kind_rows_of_a(kind);
    for (int i = 0; i < rows; i++) {
        if (!call->vertices) gz_vertex_box(&input, ids[i], &box);
        gz_box_join(&sides[i >= in_a], call->vertices ? &call->vertices[ids[i]] : &box);
    }
    return gz_boxes_meet(&sides[0], &sides[1]);
}
