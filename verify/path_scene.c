/* Reads certificates of paths and plans: every name in its place, and every number in its range. */
#include "verify/path_scene.h"

#include "verify/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINKS 32768 /* their pairs are looked at one by one */

/* ---- helpers ---- */

bool scene_grow(scanner *in, void *array, size_t *room, size_t count, size_t size) {
    void **items = array;
    if (count < *room) return true;
    size_t wanted = *room ? 2 * *room : 16;
    void *grown = realloc(*items, wanted * size);
    if (!grown) return scan_fail(in, "out of memory");
    *items = grown;
    *room = wanted;
    return true;
}

bool scene_field(scanner *in, const char *name, bool first) {
    unsigned seen = 0;
    int which;
    if (!scan_expect(in, first ? '{' : ',', first ? "{" : "a comma and the next name")) return false;
    return scan_name(in, &name, 1, &seen, &which) || scan_fail(in, "expected \"%s\"", name);
}

bool scene_whole(scanner *in, const char *what, double least, double most, double *x) {
    if (!scan_number(in, what, x)) return false;
    return (*x >= least && *x <= most && *x == floor(*x)) || scan_fail(in, "%s: not a whole number in its range", what);
}

bool scene_list(scanner *in, path_scene *scene, const char *what, scene_item *read, void *state) {
    if (!scan_take(in, '[')) return scan_fail(in, "%s: expected a list", what);
    if (scan_take(in, ']')) return true;
    do {
        if (!read(in, scene, state)) return false;
    } while (scan_take(in, ','));
    return scan_expect(in, ']', "a comma or ]");
}

/* ---- links ---- */

typedef struct mesh_reader {
    path_mesh *mesh;
    size_t vertex_room, face_room;
} mesh_reader;

static bool read_vertex(scanner *in, path_scene *scene, void *state) {
    mesh_reader *to = state;
    (void)scene;
    return scene_grow(in, &to->mesh->vertices, &to->vertex_room, to->mesh->vertex_count, sizeof *to->mesh->vertices) &&
           scan_numbers(in, "vertices", to->mesh->vertices[to->mesh->vertex_count++], 3);
}

static bool read_face(scanner *in, path_scene *scene, void *state) {
    mesh_reader *to = state;
    (void)scene;
    if (!scene_grow(in, &to->mesh->faces, &to->face_room, to->mesh->face_count, sizeof *to->mesh->faces)) return false;
    uint32_t *face = to->mesh->faces[to->mesh->face_count++];
    for (int k = 0; k < 3; k++) {
        double index;
        if (!scan_expect(in, k ? ',' : '[', "three corners of a face")) return false;
        if (!scene_whole(in, "faces", 0, (double)to->mesh->vertex_count - 1, &index)) return false;
        face[k] = (uint32_t)index;
    }
    return scan_expect(in, ']', "] after three corners");
}

static bool fits(scanner *in, const path_mesh *mesh) {
    return (mesh->vertex_count < INT32_MAX && mesh->face_count < INT32_MAX / 2) ||
           scan_fail(in, "a link of too many triangles");
}

/* Reads the joint to its parent, which is a link before it in its model. */
static bool read_joint(scanner *in, path_link *link, const path_model *model) {
    static const char *const kinds[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    double parent;
    int kind = 0;
    if (!scene_field(in, "parent", true) || !scene_whole(in, "parent", -1, (double)model->count - 1, &parent) ||
        !scene_field(in, "joint", false) || !scan_word(in, kinds, 6, "joint", &kind) ||
        !scene_field(in, "position", false) || !scan_numbers(in, "position", link->position, 3) ||
        !scene_field(in, "rotation", false) || !scan_numbers(in, "rotation", link->rotation, 4) ||
        !scene_field(in, "axis", false) || !scan_numbers(in, "axis", link->axis, 3) ||
        !scene_field(in, "padding", false) || !scan_number(in, "padding", &link->padding))
        return false;
    link->joint = (joint_kind)kind;
    link->parent = parent < 0 ? -1 : (int)(model->first + (size_t)parent);
    return link->padding >= 0 || scan_fail(in, "padding: it is negative");
}

static bool read_mesh(scanner *in, path_scene *scene, path_mesh *mesh) {
    mesh_reader to = {.mesh = mesh};
    return scene_field(in, "vertices", false) && scene_list(in, scene, "vertices", read_vertex, &to) &&
           scene_field(in, "faces", false) && scene_list(in, scene, "faces", read_face, &to) && fits(in, mesh);
}

static bool read_link(scanner *in, path_scene *scene, void *state) {
    path_model *model = state;
    size_t meshes = scene->link_room, index = scene->link_count;
    if (index == MOST_LINKS) return scan_fail(in, "more than %d links", MOST_LINKS);
    if (!scene_grow(in, &scene->links, &scene->link_room, index, sizeof *scene->links)) return false;
    if (!scene_grow(in, &scene->meshes, &meshes, index, sizeof *scene->meshes)) return false;
    path_link *link = &scene->links[index];
    *link = (path_link){.first_value = model->values};
    scene->meshes[index] = (path_mesh){0};
    scene->link_count++;
    if (!read_joint(in, link, model) || !read_mesh(in, scene, &scene->meshes[index]) || !scan_expect(in, '}', "}"))
        return false;
    bool held = link->joint == JOINT_FIXED && link->parent >= 0;
    link->body = held ? scene->links[link->parent].body : (int)index;
    model->values += joint_values(link->joint);
    model->count++;
    return true;
}

static bool read_model(scanner *in, path_scene *scene, void *state) {
    (void)state;
    if (!scene_grow(in, &scene->models, &scene->model_room, scene->model_count, sizeof *scene->models)) return false;
    path_model *model = &scene->models[scene->model_count++];
    *model = (path_model){.first = scene->link_count};
    if (!scene_field(in, "links", true) || !scene_list(in, scene, "links", read_link, model) ||
        !scan_expect(in, '}', "}"))
        return false;
    return model->count > 0 || scan_fail(in, "a model without links");
}

/* ---- boxes ---- */

static void add_point(path_node *node, const double x[3]) {
    for (int c = 0; c < 3; c++) {
        node->low[c] = fmin(node->low[c], x[c]);
        node->high[c] = fmax(node->high[c], x[c]);
    }
}

/* Halves differ by one: the depth is at most 33. */
static void set_node(const path_mesh *mesh, size_t node, size_t first, size_t count) {
    path_node *box = &mesh->nodes[node];
    *box = (path_node){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (count == 1) {
        for (int k = 0; k < 3; k++) add_point(box, mesh->vertices[mesh->faces[first][k]]);
        return;
    }
    size_t half = count / 2, children[2] = {node + 1, node + 2 * half};
    set_node(mesh, children[0], first, half);
    set_node(mesh, children[1], first + half, count - half);
    for (int i = 0; i < 2; i++) {
        add_point(box, mesh->nodes[children[i]].low);
        add_point(box, mesh->nodes[children[i]].high);
    }
}

static bool set_boxes(scanner *in, path_scene *scene) {
    for (size_t i = 0; i < scene->link_count; i++) {
        path_mesh *mesh = &scene->meshes[i];
        if (mesh->face_count == 0) continue;
        mesh->nodes = malloc((2 * mesh->face_count - 1) * sizeof *mesh->nodes);
        if (!mesh->nodes) return scan_fail(in, "out of memory");
        set_node(mesh, 0, 0, mesh->face_count);
    }
    return true;
}

static double largest(double most, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void set_exponent(path_scene *scene) {
    double most = scene->separation;
    for (size_t i = 0; i < scene->link_count; i++) {
        most = largest(most, scene->links[i].position, 3);
        most = largest(most, &scene->links[i].padding, 1);
        if (scene->meshes[i].nodes) most = largest(most, scene->meshes[i].nodes[0].low, 6);
    }
    frexp(most, &scene->exponent);
}

/* ---- pairs ---- */

/* Links a < b with triangles that a joint moves against each other, other than the two that a joint itself connects: a
   parent comes before its children. */
static bool is_pair(const path_scene *scene, int a, int b) {
    if (!scene->meshes[a].nodes || !scene->meshes[b].nodes) return false;
    int x = scene->links[a].body, y = scene->links[b].body;
    bool both_stand = scene->links[x].joint == JOINT_FIXED && scene->links[y].joint == JOINT_FIXED;
    return x != y && !both_stand && scene->links[b].parent != a;
}

bool scene_read_links(scanner *in, const path_scene *scene, path_pair *pair) {
    double most = (double)scene->link_count - 1, a, b;
    if (!scan_expect(in, '[', "two links in brackets") || !scene_whole(in, "links", 0, most, &a) ||
        !scan_expect(in, ',', "the second link") || !scene_whole(in, "links", 0, most, &b) ||
        !scan_expect(in, ']', "]"))
        return false;
    *pair = (path_pair){(uint32_t)a, (uint32_t)b};
    return true;
}

static bool read_skip(scanner *in, path_scene *scene, void *state) {
    (void)state;
    if (!scene_grow(in, &scene->pairs, &scene->pair_room, scene->skipped, sizeof *scene->pairs)) return false;
    path_pair *pair = &scene->pairs[scene->skipped];
    if (!scene_read_links(in, scene, pair)) return false;
    if (pair->a >= pair->b || !is_pair(scene, (int)pair->a, (int)pair->b))
        return scan_fail(in, "skip: links that are no pair");
    const path_pair *last = scene->skipped ? pair - 1 : NULL;
    if (last && !(last->a < pair->a || (last->a == pair->a && last->b < pair->b)))
        return scan_fail(in, "skip: not in order");
    scene->skipped++;
    return true;
}

/* All pairs but those that were skipped, in order; the list of those is taken over. */
static bool list_pairs(scanner *in, path_scene *scene) {
    path_pair *skip = scene->pairs;
    size_t skipped = 0;
    bool good = true;
    scene->pairs = NULL;
    scene->pair_room = 0;
    for (uint32_t a = 0; a < scene->link_count && good; a++)
        for (uint32_t b = a + 1; b < scene->link_count && good; b++) {
            if (!is_pair(scene, (int)a, (int)b)) continue;
            if (skipped < scene->skipped && skip[skipped].a == a && skip[skipped].b == b) {
                skipped++;
                continue;
            }
            good = scene_grow(in, &scene->pairs, &scene->pair_room, scene->pair_count, sizeof *scene->pairs);
            if (good) scene->pairs[scene->pair_count++] = (path_pair){a, b};
        }
    free(skip);
    return good;
}

bool scene_read_models(scanner *in, path_scene *scene) {
    if (!scene_field(in, "models", false) || !scene_list(in, scene, "models", read_model, NULL) ||
        !set_boxes(in, scene))
        return false;
    set_exponent(scene);
    return scene_field(in, "skip", false) && scene_list(in, scene, "skip", read_skip, NULL) && list_pairs(in, scene);
}

/* ---- paths ---- */

/* `count` lists of `size` numbers, or (size 1) a list of `count` numbers. */
static bool read_values(scanner *in, const char *what, double *values, size_t count, size_t size) {
    if (!scan_expect(in, '[', "a list of values")) return false;
    for (size_t i = 0; i < count; i++) {
        if (i && !scan_take(in, ',')) return scan_fail(in, "%s: fewer than %zu values", what, count);
        bool good =
            size == 1 ? scan_number(in, what, &values[i]) : scan_numbers(in, what, values + size * i, (int)size);
        if (!good) return false;
    }
    return scan_take(in, ']') || scan_fail(in, "%s: more than %zu values", what, count);
}

/* A turn, or null: then it is NaN. */
static bool read_turns(scanner *in, double (*turns)[3], size_t count) {
    if (!scan_expect(in, '[', "a list of turns")) return false;
    for (size_t i = 0; i < count; i++) {
        if (i && !scan_expect(in, ',', "a turn for every link")) return false;
        if (scan_null(in))
            turns[i][0] = turns[i][1] = turns[i][2] = NAN;
        else if (!scan_numbers(in, "turns", turns[i], 3))
            return false;
    }
    return scan_expect(in, ']', "] after the turns");
}

/* 0 or 1 for every link. */
static bool read_screws(scanner *in, bool *screws, size_t count) {
    if (!scan_expect(in, '[', "a list of screws")) return false;
    for (size_t i = 0; i < count; i++) {
        double screw;
        if (i && !scan_expect(in, ',', "0 or 1 for every link")) return false;
        if (!scene_whole(in, "screws", 0, 1, &screw)) return false;
        screws[i] = screw > 0;
    }
    return scan_expect(in, ']', "] after the screws");
}

static bool read_straight(scanner *in, const path_model *model, path_motion *motion, double *values) {
    static const char *const names[] = {"turns", "screws"};
    unsigned seen = 0;
    int name;
    if (!read_values(in, "from", values, model->values, 1) || !scene_field(in, "to", false) ||
        !read_values(in, "to", values + model->values, model->values, 1))
        return false;
    while (scan_take(in, ',')) {
        if (seen >> 1) return scan_fail(in, "\"screws\" come last");
        if (!scan_name(in, names, 2, &seen, &name)) return false;
        void *made = malloc(model->count * (name ? sizeof *motion->screws : sizeof *motion->turns));
        if (!made) return scan_fail(in, "out of memory");
        if (name)
            motion->screws = made;
        else
            motion->turns = (const double(*)[3])made;
        if (!(name ? read_screws(in, made, model->count) : read_turns(in, made, model->count))) return false;
    }
    return scan_expect(in, '}', "}");
}

static bool read_motion(scanner *in, const path_model *model, path_motion *motion) {
    static const char *const names[] = {"from", "cubic"};
    unsigned seen = 0;
    int name;
    double *values = malloc((4 * model->values + 1) * sizeof *values);
    *motion = (path_motion){.values = values};
    if (!values) return scan_fail(in, "out of memory");
    if (!scan_expect(in, '{', "{, the begin of a motion") || !scan_name(in, names, 2, &seen, &name)) return false;
    if (name == 0) return read_straight(in, model, motion, values);
    motion->cubic = true;
    return read_values(in, "cubic", values, model->values, 4) && scan_expect(in, '}', "}");
}

static bool read_motions(scanner *in, path_scene *scene) {
    if (!scan_expect(in, '[', "a list of motions")) return false;
    for (size_t m = 0; m < scene->model_count; m++) {
        size_t at = scene->path_count * scene->model_count + m;
        size_t room = scene->motion_room;
        if (m && !scan_expect(in, ',', "a motion for every model")) return false;
        if (!scene_grow(in, &scene->motions, &scene->motion_room, at, sizeof *scene->motions)) return false;
        for (; room < scene->motion_room; room++) scene->motions[room] = (path_motion){0};
        if (!read_motion(in, &scene->models[m], &scene->motions[at])) return false;
    }
    return scan_expect(in, ']', "] after the motions");
}

static bool read_proof(scanner *in, path_scene *scene, const path_pair *pair) {
    path_pair named;
    if (!scene_grow(in, &scene->proofs, &scene->proof_room, scene->proof_count, sizeof *scene->proofs)) return false;
    path_text *proof = &scene->proofs[scene->proof_count++];
    if (!scene_field(in, "links", true) || !scene_read_links(in, scene, &named)) return false;
    if (named.a != pair->a || named.b != pair->b)
        return scan_fail(in, "pairs: expected the proof of links %u and %u", (unsigned)pair->a, (unsigned)pair->b);
    return scene_field(in, "proof", false) && scan_text(in, "proof", &proof->begin, &proof->size) &&
           scan_expect(in, '}', "}");
}

static bool read_proofs(scanner *in, path_scene *scene) {
    if (!scan_expect(in, '[', "[, the begin of the pairs")) return false;
    for (size_t i = 0; i < scene->pair_count; i++) {
        if (i && !scan_take(in, ','))
            return scan_fail(in, "pairs: links %u and %u have no proof", (unsigned)scene->pairs[i].a,
                             (unsigned)scene->pairs[i].b);
        if (!read_proof(in, scene, &scene->pairs[i])) return false;
    }
    return scan_expect(in, ']', "] after the last pair") && scan_expect(in, '}', "}");
}

static bool read_path(scanner *in, path_scene *scene, void *state) {
    (void)state;
    if (!scene_field(in, "motions", true) || !read_motions(in, scene)) return false;
    scene->path_count++;
    return scene_field(in, "pairs", false) && read_proofs(in, scene);
}

/* ---- plans ---- */

typedef struct list_reader {
    double **items;
    size_t count, room;
    size_t row; /* numbers in brackets; 0: one without */
} list_reader;

static bool read_row(scanner *in, path_scene *scene, void *state) {
    list_reader *to = state;
    size_t size = to->row ? to->row : 1;
    (void)scene;
    for (size_t k = 0; k < size; k++) {
        if (to->row && !scan_expect(in, k ? ',' : '[', "a value for each of the model")) return false;
        if (!scene_grow(in, to->items, &to->room, to->count, sizeof **to->items)) return false;
        if (!scan_number(in, to->row ? "control" : "knots", &(*to->items)[to->count++])) return false;
    }
    return !to->row || scan_expect(in, ']', "] after the values of a control point");
}

static bool read_spline(scanner *in, path_scene *scene, const path_model *model, spline *to) {
    double degree;
    list_reader knots = {.items = &to->knots}, control = {.items = &to->control, .row = model->values};
    if (!scene_field(in, "degree", true) || !scene_whole(in, "degree", 1, SPLINE_TERMS - 1, &degree) ||
        !scene_field(in, "knots", false) || !scene_list(in, scene, "knots", read_row, &knots) ||
        !scene_field(in, "control", false) || !scene_list(in, scene, "control", read_row, &control) ||
        !scan_expect(in, '}', "}"))
        return false;
    to->degree = (int)degree;
    to->values = model->values;
    to->count = model->values ? control.count / model->values : 0;
    if (to->count == 0) return scan_fail(in, "paths: a path of a model without values, or without control points");
    if (knots.count != to->count + (size_t)to->degree + 1)
        return scan_fail(in, "paths: %zu knots for %zu control points", knots.count, to->count);
    const char *fault = spline_fault(to);
    return !fault || scan_fail(in, "paths: %s", fault);
}

static int before(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All paths begin and end together; a piece ends wherever one of them has a knot. */
static bool cut_plan(scanner *in, path_scene *scene) {
    size_t room = 0, count = 0, kept = 1;
    const spline *first = NULL;
    for (size_t m = 0; m < scene->model_count; m++) {
        const spline *s = &scene->splines[m];
        if (!s->knots) continue;
        if (!first) first = s;
        if (spline_begin(s) != spline_begin(first) || spline_end(s) != spline_end(first))
            return scan_fail(in, "paths: they begin or end at different times");
        for (size_t i = 0; i <= s->count + (size_t)s->degree; i++) {
            if (s->knots[i] < spline_begin(first) || s->knots[i] > spline_end(first)) continue;
            if (!scene_grow(in, &scene->times, &room, count, sizeof *scene->times)) return false;
            scene->times[count++] = s->knots[i];
        }
    }
    if (!first) return scan_fail(in, "paths: nothing moves");
    qsort(scene->times, count, sizeof *scene->times, before);
    for (size_t i = 1; i < count; i++)
        if (scene->times[i] > scene->times[kept - 1]) scene->times[kept++] = scene->times[i];
    scene->time_count = kept;
    return true;
}

static bool read_splines(scanner *in, path_scene *scene) {
    scene->splines = calloc(scene->model_count + 1, sizeof *scene->splines);
    if (!scene->splines) return scan_fail(in, "out of memory");
    if (!scan_expect(in, '[', "a list of paths")) return false;
    for (size_t m = 0; m < scene->model_count; m++) {
        if (m && !scan_expect(in, ',', "a path or null for every model")) return false;
        if (!scan_null(in) && !read_spline(in, scene, &scene->models[m], &scene->splines[m])) return false;
    }
    return scan_expect(in, ']', "] after the paths") && cut_plan(in, scene);
}

static bool set_piece(scanner *in, path_scene *scene, size_t m) {
    size_t at = scene->path_count * scene->model_count + m, room = scene->motion_room;
    if (!scene_grow(in, &scene->motions, &scene->motion_room, at, sizeof *scene->motions)) return false;
    for (; room < scene->motion_room; room++) scene->motions[room] = (path_motion){0};
    path_motion *motion = &scene->motions[at];
    motion->begin = scene->times[scene->path_count];
    motion->end = scene->times[scene->path_count + 1];
    if (scene->splines[m].knots)
        motion->path = &scene->splines[m];
    else
        motion->values = calloc(2 * scene->models[m].values + 1, sizeof *motion->values);
    return motion->path || motion->values || scan_fail(in, "out of memory");
}

static bool read_piece(scanner *in, path_scene *scene, void *state) {
    (void)state;
    if (scene->path_count + 1 == scene->time_count) return scan_fail(in, "pieces: more than the knots make");
    for (size_t m = 0; m < scene->model_count; m++)
        if (!set_piece(in, scene, m)) return false;
    scene->path_count++;
    return scene_field(in, "pairs", true) && read_proofs(in, scene);
}

static bool read_pieces(scanner *in, path_scene *scene) {
    if (!scene_list(in, scene, "pieces", read_piece, NULL)) return false;
    return scene->path_count + 1 == scene->time_count ||
           scan_fail(in, "pieces: %zu, but the knots make %zu", scene->path_count, scene->time_count - 1);
}

/* ---- the whole ---- */

static bool read_head(scanner *in, path_scene *scene) {
    static const char *const formats[] = {"graze path certificate 1", "graze plan certificate 1"};
    int format = 0;
    scene->t_max = 1;
    if (!scene_field(in, "format", true) || !scan_word(in, formats, 2, "format", &format) ||
        !scene_field(in, "separation", false) || !scan_number(in, "separation", &scene->separation))
        return false;
    scene->of_plan = format == 1;
    if (!scene->of_plan && (!scene_field(in, "t_max", false) || !scan_number(in, "t_max", &scene->t_max))) return false;
    if (!(scene->separation >= 0)) return scan_fail(in, "the separation is negative");
    return (scene->t_max > 0 && scene->t_max <= 1) || scan_fail(in, "t_max is not in (0, 1]");
}

static bool read_paths(scanner *in, path_scene *scene) {
    if (!scene_field(in, "paths", false)) return false;
    if (!scene->of_plan) return scene_list(in, scene, "paths", read_path, NULL);
    return read_splines(in, scene) && scene_field(in, "pieces", false) && read_pieces(in, scene);
}

static bool read_all(scanner *in, path_scene *scene) {
    if (memchr(in->begin, '\0', (size_t)(in->end - in->begin))) return scan_fail(in, "a byte 0 in the text");
    if (!read_head(in, scene) || !scene_read_models(in, scene) || !read_paths(in, scene) || !scan_expect(in, '}', "}"))
        return false;
    return scan_at_end(in) || scan_fail(in, "something follows the certificate");
}

bool path_scene_read(path_scene *scene, const char *text, size_t size, char message[VERIFY_TEXT]) {
    scanner in = {.begin = text, .at = text, .end = text + size, .message = message};
    *scene = (path_scene){0};
    return read_all(&in, scene);
}

void path_scene_free(path_scene *scene) {
    for (size_t i = 0; i < scene->link_count; i++) {
        free(scene->meshes[i].vertices);
        free(scene->meshes[i].faces);
        free(scene->meshes[i].nodes);
    }
    for (size_t i = 0; i < scene->motion_room; i++) {
        free((void *)(uintptr_t)scene->motions[i].values);
        free((void *)(uintptr_t)scene->motions[i].turns);
        free((void *)(uintptr_t)scene->motions[i].screws);
    }
    for (size_t m = 0; scene->splines && m < scene->model_count; m++) {
        free(scene->splines[m].knots);
        free(scene->splines[m].control);
    }
    free(scene->splines);
    free(scene->times);
    free(scene->links);
    free(scene->meshes);
    free(scene->models);
    free(scene->pairs);
    free(scene->motions);
    free(scene->proofs);
    *scene = (path_scene){0};
}
