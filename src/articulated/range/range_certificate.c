/* graze_range_certificate(): models, ranges, and for every pair of links a proof, a pose that touches, or both in part.
 */
#include "articulated/certificate/writer.h"
#include "articulated/inside.h"
#include "articulated/range/job.h"
#include "motion/rounding.h"

#include <math.h>

#define MOST_NODES (1 << 24) /* pairs of nodes that are looked at for two triangles that touch */

/* Claim about one pair. */
typedef struct pair_claim {
    bool inside;       /* a part of one link is in a part of the other, and no triangles touch */
    bool overlaps;     /* the middle of a triangle is, and some triangles may touch */
    gz_middle middle;  /* that one, by the number of its leaf */
    uint32_t faces[2]; /* that touch: numbers of leaves */
    double at[2][2];   /* points of theirs, by u and v */
} pair_claim;

typedef struct range_writer {
    gz_range_job *job;
    gz_writer to;
    pair_claim *claims;
} range_writer;

/* ---- poses that touch ---- */

/* Which leaf of the tree has the face: certificates list faces in this order. */
static uint32_t leaf_of(const gz_link *link, uint32_t face) {
    uint32_t leaf = 0;
    for (uint32_t i = 0; i < link->tree.count; i++) {
        const gz_face_node *node = &link->tree.nodes[i];
        if (!gz_face_node_is_leaf(node)) continue;
        if (node->face == face) return leaf;
        leaf++;
    }
    return 0;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double square_off(const gz_triangle *t, const double at[2], gz_vec3 p) {
    double off[3];
    for (int c = 0; c < 3; c++)
        off[c] = t->x[0].c[c] + at[0] * (t->x[1].c[c] - t->x[0].c[c]) + at[1] * (t->x[2].c[c] - t->x[0].c[c]) - p.c[c];
    return dot(off, off);
}

/* Keeps the better one of two places in the triangle. */
static void consider(const gz_triangle *t, gz_vec3 p, double u, double v, double at[2]) {
    u = fmin(fmax(u, 0), 1);
    v = fmin(fmax(v, 0), 1 - u);
    if (u > 0 && v > 0 && u + v >= 1 - 0x1p-50) v = fmax(v - 0x1p-50, 0); /* rounding leaves it in the triangle */
    double other[2] = {u, v};
    if (square_off(t, other, p) < square_off(t, at, p)) at[0] = u, at[1] = v;
}

/* Place of a point in its triangle, which may have no area. */
static void place_in(const gz_triangle *t, gz_vec3 p, double at[2]) {
    double x[3], y[3], d[3];
    for (int c = 0; c < 3; c++) {
        x[c] = t->x[1].c[c] - t->x[0].c[c];
        y[c] = t->x[2].c[c] - t->x[0].c[c];
        d[c] = p.c[c] - t->x[0].c[c];
    }
    double xx = dot(x, x), xy = dot(x, y), yy = dot(y, y), xd = dot(x, d), yd = dot(y, d), det = xx * yy - xy * xy;
    at[0] = at[1] = 0;
    if (det > 0) consider(t, p, (yy * xd - xy * yd) / det, (xx * yd - xy * xd) / det, at);
    if (xx > 0) consider(t, p, xd / xx, 0, at);
    if (yy > 0) consider(t, p, 0, yd / yy, at);
    double side = xx - 2 * xy + yy, part = side > 0 ? (yd - xd - xy + xx) / side : 0;
    part = fmin(fmax(part, 0), 1);
    consider(t, p, 1 - part, part, at);
}

static void find_touch(range_writer *w, gz_range_worker *worker, const gz_range_links *links, const double *pose,
                       pair_claim *claim) {
    const gz_link *a = gz_scene_at(&w->job->scene, links->a)->link, *b = gz_scene_at(&w->job->scene, links->b)->link;
    gz_link_pair pair = {.a = links->a, .b = links->b};
    gz_touch touch;
    uint64_t checks = 0;
    gz_range_ask(w->job, worker, links, pose); /* moves the scene there */
    gz_reach_between(w->job->options.min_separation, a->padding, b->padding, &pair.contact_low, &pair.contact);
    gz_frames *frames = &worker->search.narrow;
    if (!gz_links_cross_at(frames, &pair, 0, MOST_NODES, &checks, &touch)) {
        claim->inside = gz_links_inside_at(frames, &pair, 0, &checks) == GZ_INSIDE;
        claim->overlaps = !claim->inside && gz_middle_inside(frames, &pair, &claim->middle, &checks);
        claim->middle.face = leaf_of(claim->middle.side ? b : a, claim->middle.face);
        return;
    }
    gz_frame_model frame;
    gz_frames_relative(frames, pair.a, pair.b, &frame);
    gz_triangle x = gz_triangle_at(&frame, a, touch.faces.a, 0), y = gz_triangle_of(b, touch.faces.b);
    place_in(&x, touch.closest.a, claim->at[0]);
    place_in(&y, touch.closest.b, claim->at[1]);
    claim->faces[0] = leaf_of(a, touch.faces.a);
    claim->faces[1] = leaf_of(b, touch.faces.b);
}

static void find_touches(void *state, size_t begin, size_t end, uint32_t worker) {
    range_writer *w = state;
    for (size_t i = begin; i < end; i++) {
        gz_range_links links;
        gz_range_worker *mine = &w->job->workers[worker];
        if (w->job->pairs[i].verdict != GRAZE_HIT) continue;
        gz_range_links_find(w->job, mine, w->to.pairs[i].a, w->to.pairs[i].b, &links);
        find_touch(w, mine, &links, w->job->pairs[i].pose, &w->claims[i]);
    }
}

/* ---- text ---- */

static void put_ranges(range_writer *w) {
    gz_text *text = &w->to.text;
    gz_text_word(text, ",\n\"ranges\":[");
    for (size_t i = 0; i < w->job->values; i++) {
        const graze_joint_range *range = &w->job->ranges[i];
        if (i) gz_text_word(text, ",");
        if (range->follows < 0) {
            gz_text_doubles(text, (const double[]){range->lower, range->upper}, 2);
            continue;
        }
        gz_text_word(text, "{\"follows\":");
        gz_text_whole(text, range->follows);
        gz_text_word(text, ",\"multiplier\":");
        gz_text_double(text, range->multiplier);
        gz_text_word(text, ",\"offset\":");
        gz_text_double(text, range->offset);
        gz_text_word(text, "}");
    }
    gz_text_word(text, "]");
}

/* Values that follow others are null. */
static void put_pose(range_writer *w, const double *pose) {
    gz_text *text = &w->to.text;
    gz_text_word(text, ",\"touch\":[");
    for (size_t i = 0; i < w->job->values; i++) {
        if (i) gz_text_word(text, ",");
        if (w->job->ranges[i].follows < 0)
            gz_text_double(text, pose[i]);
        else
            gz_text_word(text, "null");
    }
    gz_text_word(text, "]");
}

static void put_touch(range_writer *w, size_t i) {
    const pair_claim *claim = &w->claims[i];
    gz_text *text = &w->to.text;
    put_pose(w, w->job->pairs[i].pose);
    if (claim->inside) {
        gz_text_word(text, ",\"inside\":true");
        return;
    }
    if (claim->overlaps) {
        gz_text_word(text, ",\"inside\":");
        gz_text_pair(text, (uint32_t)claim->middle.side, claim->middle.face);
        return;
    }
    gz_text_word(text, ",\"faces\":");
    gz_text_pair(text, claim->faces[0], claim->faces[1]);
    if (!(w->to.pairs[i].contact > 0)) return;
    gz_text_word(text, ",\"at\":");
    gz_text_doubles(text, claim->at[0], 4);
}

static void put_proof(range_writer *w, const gz_range_proof *proof, const char *name) {
    gz_text *text = &w->to.text;
    gz_text_word(text, name);
    gz_text_put(text, proof->proof.text, proof->proof.size);
    gz_text_word(text, "\"");
}

static void put_claim(range_writer *w, size_t i) {
    const gz_range_proof *proof = &w->job->proofs[i];
    gz_text *text = &w->to.text;
    gz_text_word(text, i ? ",\n{\"links\":" : "\n{\"links\":");
    gz_text_pair(text, w->to.pairs[i].a, w->to.pairs[i].b);
    if (w->job->pairs[i].verdict == GRAZE_HIT) {
        put_touch(w, i);
    } else if (w->job->pairs[i].verdict == GRAZE_CLEAR) {
        put_proof(w, proof, ",\"clear\":\"");
    } else {
        double open = fmax(w->job->pairs[i].unresolved, proof->open);
        gz_text_word(text, ",\"open\":");
        gz_text_double(text, fmin(open * (1 + 0x1p-50), 1)); /* it was summed up */
        if (open < 1) put_proof(w, proof, ",\"rest\":\"");
    }
    gz_text_word(text, "}");
}

static void put_all(range_writer *w) {
    put_ranges(w);
    gz_text_word(&w->to.text, ",\n\"pairs\":[");
    for (size_t i = 0; i < w->to.pair_count; i++) put_claim(w, i);
    gz_text_word(&w->to.text, "\n]}\n");
}

/* ---- the whole ---- */

static graze_status write_claims(range_writer *w) {
    gz_range_job *job = w->job;
    size_t count = w->to.pair_count;
    w->claims = gz_allocate_array(job->context, count, sizeof *w->claims);
    if (!w->claims) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) w->claims[i] = (pair_claim){0};
    gz_parallel(job->context, count, 1, find_touches, w);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < job->context->threads; i++)
        if (job->workers[i].status != GRAZE_OK) status = job->workers[i].status;
    if (status == GRAZE_OK) put_all(w);
    gz_release(job->context, w->claims, count * sizeof *w->claims);
    return gz_writer_end(&w->to, status);
}

graze_status gz_range_write(gz_range_job *job) {
    range_writer w = {.job = job, .to = {.scene = job->scene, .text = {.write = job->write, .user = job->user}}};
    w.to.options.link_pairs = job->options.link_pairs;
    w.to.options.min_separation = job->options.min_separation;
    gz_text_word(&w.to.text, "{\"format\":\"graze range certificate 1\",\"separation\":");
    gz_text_double(&w.to.text, job->options.min_separation);
    gz_text_models(&w.to.text, job->models, job->count);
    graze_status status = gz_writer_skip(&w.to);
    if (status == GRAZE_OK) status = write_claims(&w);
    gz_release(job->context, w.to.pairs, w.to.pair_room * sizeof *w.to.pairs);
    return status;
}
