/* Reads certificates of ranges: every name in its place, and every number in its range. */
#include "verify/ranges/range_scene.h"

#include "verify/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ANGLE 0x1p20

/* ---- ranges ---- */

static bool read_follower(scanner *in, range_scene *scene, range_value *value) {
    double follows;
    if (!scene_field(in, "follows", true) || !scene_whole(in, "follows", 0, (double)scene->value_count - 1, &follows) ||
        !scene_field(in, "multiplier", false) || !scan_number(in, "multiplier", &value->multiplier) ||
        !scene_field(in, "offset", false) || !scan_number(in, "offset", &value->offset) || !scan_expect(in, '}', "}"))
        return false;
    value->follows = (long)follows;
    return true;
}

static bool read_value(scanner *in, range_scene *scene, range_value *value) {
    double ends[2];
    *value = (range_value){.follows = -1, .multiplier = 1};
    if (!scan_at_end(in) && *in->at == '{') return read_follower(in, scene, value);
    if (!scan_numbers(in, "ranges", ends, 2)) return false;
    value->lower = ends[0];
    value->upper = ends[1];
    return ends[0] <= ends[1] || scan_fail(in, "ranges: a lower limit above the upper one");
}

/* Values of all links: how many, and where those of each link begin. */
static bool count_values(scanner *in, range_scene *scene) {
    const path_scene *base = &scene->base;
    scene->first_value = calloc(base->link_count + 1, sizeof *scene->first_value);
    if (!scene->first_value) return scan_fail(in, "out of memory");
    for (size_t m = 0; m < base->model_count; m++) {
        for (size_t i = 0; i < base->models[m].count; i++) {
            size_t link = base->models[m].first + i;
            scene->first_value[link] = scene->value_count + base->links[link].first_value;
        }
        scene->value_count += base->models[m].values;
    }
    scene->values = calloc(scene->value_count + 1, sizeof *scene->values);
    return scene->values || scan_fail(in, "out of memory");
}

static bool stands(const range_value *value) { return value->follows < 0 && value->lower == value->upper; }

/* The largest size that a value takes. */
static double most_of(const range_scene *scene, const range_value *value) {
    const range_value *of = value->follows < 0 ? value : &scene->values[value->follows];
    return fabs(value->multiplier) * fmax(fabs(of->lower), fabs(of->upper)) + fabs(value->offset);
}

static bool check_link(scanner *in, const range_scene *scene, size_t i) {
    const path_link *link = &scene->base.links[i];
    const range_value *value = &scene->values[scene->first_value[i]];
    size_t count = joint_values(link->joint);
    for (size_t k = 0; k < count && count > 1; k++)
        if (!stands(&value[k])) return scan_fail(in, "ranges: a joint of several values that does not stand");
    if (link->joint == JOINT_REVOLUTE && !(most_of(scene, value) <= MOST_ANGLE))
        return scan_fail(in, "ranges: an angle beyond 2^20");
    return true;
}

static bool check_values(scanner *in, const range_scene *scene) {
    for (size_t i = 0; i < scene->value_count; i++) {
        long other = scene->values[i].follows;
        if (other >= 0 && scene->values[other].follows >= 0)
            return scan_fail(in, "ranges: a value that follows a follower");
    }
    for (size_t i = 0; i < scene->base.link_count; i++)
        if (!check_link(in, scene, i)) return false;
    return true;
}

static bool read_ranges(scanner *in, range_scene *scene) {
    if (!count_values(in, scene) || !scene_field(in, "ranges", false)) return false;
    if (!scan_expect(in, '[', "a list of ranges")) return false;
    for (size_t i = 0; i < scene->value_count; i++) {
        if (i && !scan_expect(in, ',', "a range for every value")) return false;
        if (!read_value(in, scene, &scene->values[i])) return false;
    }
    return scan_expect(in, ']', "] after the ranges") && check_values(in, scene);
}

/* ---- claims ---- */

static bool read_pose_value(scanner *in, const range_value *range, double *value) {
    *value = NAN;
    if (range->follows >= 0) return scan_null(in) || scan_fail(in, "touch: a value that follows another is null");
    if (!scan_number(in, "touch", value)) return false;
    return (*value >= range->lower && *value <= range->upper) || scan_fail(in, "touch: a value beyond its limits");
}

static bool read_pose(scanner *in, const range_scene *scene, range_claim *claim) {
    claim->pose = calloc(scene->value_count + 1, sizeof *claim->pose);
    if (!claim->pose) return scan_fail(in, "out of memory");
    if (!scan_expect(in, '[', "a list of values")) return false;
    for (size_t i = 0; i < scene->value_count; i++) {
        if (i && !scan_expect(in, ',', "a value for every range")) return false;
        if (!read_pose_value(in, &scene->values[i], &claim->pose[i])) return false;
    }
    return scan_expect(in, ']', "] after the values");
}

static bool read_faces(scanner *in, const range_scene *scene, path_pair pair, range_claim *claim) {
    uint32_t links[2] = {pair.a, pair.b};
    for (int k = 0; k < 2; k++) {
        double face, most = (double)scene->base.meshes[links[k]].face_count - 1;
        if (!scan_expect(in, k ? ',' : '[', "two faces in brackets") || !scene_whole(in, "faces", 0, most, &face))
            return false;
        claim->faces[k] = (uint32_t)face;
    }
    return scan_expect(in, ']', "] after two faces");
}

/* u, v >= 0 and u + v <= 1, in exact numbers. */
static bool is_in_triangle(const double at[2]) {
    mpz_t u, v;
    mpz_inits(u, v, NULL);
    bool good = at[0] >= 0 && at[1] >= 0 && at[0] <= 1 && at[1] <= 1;
    if (good && !fixed_floor(u, at[0], 0)) mpz_add_ui(u, u, 1);
    if (good && !fixed_floor(v, at[1], 0)) mpz_add_ui(v, v, 1);
    mpz_add(u, u, v);
    mpz_set_ui(v, 1);
    mpz_mul_2exp(v, v, FIXED_BITS);
    good = good && mpz_cmp(u, v) <= 0;
    mpz_clears(u, v, NULL);
    return good;
}

static bool read_places(scanner *in, range_claim *claim) {
    claim->placed = true;
    if (!scan_numbers(in, "at", claim->at, 4)) return false;
    return (is_in_triangle(claim->at) && is_in_triangle(claim->at + 2)) ||
           scan_fail(in, "at: a point beyond its triangle");
}

/* The face of one link whose middle is in the other. */
static bool read_overlap(scanner *in, const range_scene *scene, path_pair pair, range_claim *claim) {
    double side, face;
    claim->inside = false;
    claim->overlaps = true;
    scan_take(in, '['); /* it comes next */
    if (!scene_whole(in, "inside", 0, 1, &side) || !scan_expect(in, ',', "a comma and a face")) return false;
    claim->side = (int)side;
    double most = (double)scene->base.meshes[claim->side ? pair.b : pair.a].face_count - 1;
    if (!scene_whole(in, "inside", 0, most, &face)) return false;
    claim->faces[0] = (uint32_t)face;
    return scan_expect(in, ']', "] after a link and its face");
}

static bool read_touch(scanner *in, const range_scene *scene, path_pair pair, range_claim *claim) {
    static const char *const names[] = {"faces", "inside"};
    static const char *const more[] = {"at"};
    unsigned seen = 0, also = 0;
    int name, place;
    claim->kind = RANGE_TOUCH;
    if (!read_pose(in, scene, claim) || !scan_expect(in, ',', "a comma and what touches") ||
        !scan_name(in, names, 2, &seen, &name))
        return false;
    claim->inside = name == 1;
    if (claim->inside && !scan_at_end(in) && *in->at == '[') return read_overlap(in, scene, pair, claim);
    if (claim->inside) return scan_true(in, "inside");
    if (!read_faces(in, scene, pair, claim)) return false;
    return !scan_take(in, ',') || (scan_name(in, more, 1, &also, &place) && read_places(in, claim));
}

static bool read_open(scanner *in, range_claim *claim) {
    static const char *const names[] = {"rest"};
    unsigned seen = 0;
    int name;
    claim->kind = RANGE_OPEN;
    if (!scan_number(in, "open", &claim->open)) return false;
    if (!(claim->open >= 0 && claim->open <= 1)) return scan_fail(in, "open: a share that is not in [0, 1]");
    if (!scan_take(in, ',')) return claim->open == 1 || scan_fail(in, "open: the proof of the rest is missing");
    return scan_name(in, names, 1, &seen, &name) && scan_text(in, "rest", &claim->proof.begin, &claim->proof.size);
}

static bool read_claim(scanner *in, const range_scene *scene, path_pair pair, range_claim *claim) {
    static const char *const names[] = {"clear", "touch", "open"};
    unsigned seen = 0;
    int name;
    path_pair named;
    if (!scene_field(in, "links", true) || !scene_read_links(in, &scene->base, &named)) return false;
    if (named.a != pair.a || named.b != pair.b)
        return scan_fail(in, "pairs: expected links %u and %u", (unsigned)pair.a, (unsigned)pair.b);
    if (!scan_expect(in, ',', "a comma and a claim") || !scan_name(in, names, 3, &seen, &name)) return false;
    bool good = name == 0   ? scan_text(in, "clear", &claim->proof.begin, &claim->proof.size)
                : name == 1 ? read_touch(in, scene, pair, claim)
                            : read_open(in, claim);
    return good && scan_expect(in, '}', "}");
}

static bool read_claims(scanner *in, range_scene *scene) {
    scene->claims = calloc(scene->base.pair_count + 1, sizeof *scene->claims);
    if (!scene->claims) return scan_fail(in, "out of memory");
    scene->claim_count = scene->base.pair_count;
    if (!scene_field(in, "pairs", false) || !scan_expect(in, '[', "[, the begin of the pairs")) return false;
    for (size_t i = 0; i < scene->claim_count; i++) {
        const path_pair *pair = &scene->base.pairs[i];
        if (i && !scan_take(in, ','))
            return scan_fail(in, "pairs: nothing is said of links %u and %u", (unsigned)pair->a, (unsigned)pair->b);
        if (!read_claim(in, scene, *pair, &scene->claims[i])) return false;
    }
    return scan_expect(in, ']', "] after the last pair") && scan_expect(in, '}', "}");
}

/* ---- the whole ---- */

static bool read_all(scanner *in, range_scene *scene) {
    static const char *const formats[] = {"graze range certificate 1"};
    int format;
    if (memchr(in->begin, '\0', (size_t)(in->end - in->begin))) return scan_fail(in, "a byte 0 in the text");
    if (!scene_field(in, "format", true) || !scan_word(in, formats, 1, "format", &format) ||
        !scene_field(in, "separation", false) || !scan_number(in, "separation", &scene->base.separation))
        return false;
    if (!(scene->base.separation >= 0)) return scan_fail(in, "the separation is negative");
    if (!scene_read_models(in, &scene->base) || !read_ranges(in, scene) || !read_claims(in, scene)) return false;
    return scan_at_end(in) || scan_fail(in, "something follows the certificate");
}

bool range_scene_read(range_scene *scene, const char *text, size_t size, char message[VERIFY_TEXT]) {
    scanner in = {.begin = text, .at = text, .end = text + size, .message = message};
    *scene = (range_scene){0};
    return read_all(&in, scene);
}

void range_scene_free(range_scene *scene) {
    for (size_t i = 0; i < scene->claim_count; i++) free(scene->claims[i].pose);
    free(scene->claims);
    free(scene->values);
    free(scene->first_value);
    path_scene_free(&scene->base);
    *scene = (range_scene){0};
}
