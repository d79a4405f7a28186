#include "verify/ranges/range_joints.h"

#include "verify/path_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- joints ---- */

/* Joints of one value go from 0 to 1, all others stand where their ranges are. */
static double *ends_of(const range_scene *scene, const path_model *model) {
    double *ends = calloc(2 * model->values + 1, sizeof *ends);
    for (size_t i = 0; ends && i < model->count; i++) {
        size_t link = model->first + i, first = scene->base.links[link].first_value;
        size_t count = joint_values(scene->base.links[link].joint);
        for (size_t k = 0; k < count; k++) {
            double stand = scene->values[scene->first_value[link] + k].lower;
            ends[first + k] = count == 1 ? 0 : stand;
            ends[model->values + first + k] = count == 1 ? 1 : stand;
        }
    }
    return ends;
}

bool range_joints_set(const range_scene *scene, joint_motion *joints, char reason[VERIFY_TEXT]) {
    bool good = true;
    for (size_t m = 0; m < scene->base.model_count && good; m++) {
        const path_model *model = &scene->base.models[m];
        double *ends = ends_of(scene, model);
        path_motion motion = {.values = ends};
        good = ends || rotation_refuse(reason, "out of memory");
        for (size_t i = 0; i < model->count && good; i++) {
            const path_link *link = &scene->base.links[model->first + i];
            good = joint_set(&joints[model->first + i], link, &motion, link->first_value, model->values, i,
                             scene->base.exponent, reason);
        }
        free(ends);
    }
    return good;
}

/* ---- cells ---- */

/* The value that decides: of a joint that follows another, that one. */
static size_t leader_of(const range_scene *scene, size_t value) {
    return scene->values[value].follows < 0 ? value : (size_t)scene->values[value].follows;
}

static int variable_of(const range_cell *cell, size_t value) {
    for (int i = 0; i < cell->count; i++)
        if (cell->parts[i].value == value) return i + 1;
    return 0;
}

bool range_cell_open(const range_scene *scene, path_pair pair, range_cell *cell) {
    int ancestor = path_ancestor(&scene->base, pair);
    *cell = (range_cell){0};
    for (int side = 0; side < 2; side++)
        for (int i = (int)(side ? pair.b : pair.a); i != ancestor; i = scene->base.links[i].parent) {
            if (joint_values(scene->base.links[i].joint) != 1) continue;
            size_t value = leader_of(scene, scene->first_value[i]);
            if (variable_of(cell, value)) continue;
            if (cell->count == FORM_TERMS - 1) return false;
            cell->parts[cell->count++] = (range_part){.value = value};
        }
    return true;
}

/* lower + (upper - lower)·(2·place + 1 ± 1)/2^(halvings + 1) */
static void set_part(const range_value *range, const range_part *part, enclosure *middle, enclosure *half) {
    enclosure lower;
    enclosure_init(&lower);
    enclosure_set_double(&lower, range->lower, 0);
    enclosure_set_double(half, range->upper, 0);
    enclosure_sub(half, half, &lower);
    enclosure_shift(half, half, -(part->halvings + 1));
    mpz_t odd;
    mpz_init_set_ui(odd, part->place);
    mpz_mul_2exp(odd, odd, 1);
    mpz_add_ui(odd, odd, 1);
    enclosure_scale(middle, half, odd);
    enclosure_add(middle, middle, &lower);
    mpz_clear(odd);
    enclosure_clear(&lower);
}

/* The value of a joint in the cell: middle ± half. Returns its variable. */
static int set_value(const range_scene *scene, size_t value, const range_cell *cell, enclosure *middle,
                     enclosure *half) {
    const range_value *range = &scene->values[value];
    size_t leader = leader_of(scene, value);
    int variable = variable_of(cell, leader);
    if (cell->pose) {
        enclosure_set_double(middle, cell->pose[leader], 0);
        enclosure_set_whole(half, 0);
    } else {
        set_part(&scene->values[leader], &cell->parts[variable - 1], middle, half);
    }
    if (range->follows < 0) return variable;
    enclosure factor, offset, product;
    enclosure_init(&factor);
    enclosure_init(&offset);
    enclosure_init(&product);
    enclosure_set_double(&factor, range->multiplier, 0);
    enclosure_set_double(&offset, range->offset, 0);
    enclosure_mul(&product, &factor, half);
    enclosure_copy(half, &product);
    enclosure_mul(&product, &factor, middle);
    enclosure_add(middle, &product, &offset);
    enclosure_clear(&factor);
    enclosure_clear(&offset);
    enclosure_clear(&product);
    return variable;
}

/* ---- frames ---- */

void range_frames_init(range_frames *frames) {
    for (int i = 0; i < 2; i++) form_frame_init(&frames->of[i]);
    for (int i = 0; i < 2; i++) form_frame_init(&frames->spare[i]);
}

void range_frames_clear(range_frames *frames) {
    for (int i = 0; i < 2; i++) form_frame_clear(&frames->of[i]);
    for (int i = 0; i < 2; i++) form_frame_clear(&frames->spare[i]);
}

/* A joint that stands, or has several values. */
static void set_still(const joint_motion *joint, form_frame *f) {
    enclosure zero;
    frame still;
    enclosure_init(&zero);
    frame_init(&still);
    enclosure_set_whole(&zero, 0);
    joint_frame(joint, &zero, &still);
    for (int i = 0; i < 12; i++) form_set_number(&f->m[i / 4][i % 4], &still.m[i / 4][i % 4]);
    frame_clear(&still);
    enclosure_clear(&zero);
}

/* number·a, added to f */
static void add_times(form *f, const enclosure *number, const form *a) {
    form factor;
    form_init(&factor);
    form_set_number(&factor, number);
    form_add_mul(f, &factor, a);
    form_clear(&factor);
}

/* x·c + y·s */
static void mix(enclosure *f, const enclosure *x, const enclosure *c, const enclosure *y, const enclosure *s) {
    enclosure_mul(f, x, c);
    enclosure_add_mul(f, y, s);
}

/* fixed + cosine·cos(m + u) + sine·sin(m + u) = fixed + P·cos u + Q·sin u, where P = cosine·cos m + sine·sin m and Q =
   sine·cos m - cosine·sin m. */
static void set_turning(const joint_motion *joint, const enclosure *middle, const enclosure *half, int variable,
                        form_frame *f) {
    enclosure at[3], part;
    form sine, cosine;
    enclosure_init_all(at, 3);
    enclosure_init(&part);
    form_init(&sine);
    form_init(&cosine);
    enclosure_sine(&at[0], &at[1], middle);
    enclosure_scale_long(&at[2], &at[0], -1);
    form_turn(&sine, &cosine, half, variable);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int k = 3 * i + j;
            form_set_number(&f->m[i][j], &joint->fixed[k]);
            mix(&part, &joint->cosine[k], &at[1], &joint->sine[k], &at[0]);
            add_times(&f->m[i][j], &part, &cosine);
            mix(&part, &joint->sine[k], &at[1], &joint->cosine[k], &at[2]);
            add_times(&f->m[i][j], &part, &sine);
        }
        form_set_number(&f->m[i][3], &joint->shift[i][0]);
    }
    enclosure_clear_all(at, 3);
    enclosure_clear(&part);
    form_clear(&sine);
    form_clear(&cosine);
}

static void set_sliding(const joint_motion *joint, const enclosure *middle, const enclosure *half, int variable,
                        form_frame *f) {
    form value;
    form_init(&value);
    form_set_value(&value, middle, half, variable);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) form_set_number(&f->m[i][j], &joint->fixed[3 * i + j]);
        form_set_number(&f->m[i][3], &joint->shift[i][0]);
        add_times(&f->m[i][3], &joint->shift[i][1], &value);
    }
    form_clear(&value);
}

static void set_joint(const range_scene *scene, const joint_motion *joint, size_t link, const range_cell *cell,
                      form_frame *f) {
    joint_kind kind = scene->base.links[link].joint;
    if (joint_values(kind) != 1) {
        set_still(joint, f);
        return;
    }
    enclosure middle, half;
    enclosure_init(&middle);
    enclosure_init(&half);
    int variable = set_value(scene, scene->first_value[link], cell, &middle, &half);
    (kind == JOINT_PRISMATIC ? set_sliding : set_turning)(joint, &middle, &half, variable, f);
    enclosure_clear(&middle);
    enclosure_clear(&half);
}

static void swap_frames(form_frame *a, form_frame *b) {
    form_frame t = *a;
    *a = *b;
    *b = t;
}

typedef struct chain {
    const range_scene *scene;
    const joint_motion *joints;
    const range_cell *cell;
    form_frame *spare; /* two */
} chain;

/* From the top down. */
static void set_chain(const chain *c, int link, int ancestor, form_frame *f) {
    if (link == ancestor) {
        form_frame_identity(f);
        return;
    }
    set_chain(c, c->scene->base.links[link].parent, ancestor, f);
    set_joint(c->scene, &c->joints[link], (size_t)link, c->cell, &c->spare[0]);
    form_frame_compose(&c->spare[1], f, &c->spare[0]);
    swap_frames(&c->spare[1], f);
}

void range_frames_set(const range_scene *scene, const joint_motion *joints, path_pair pair, const range_cell *cell,
                      range_frames *frames) {
    chain c = {scene, joints, cell, frames->spare};
    int ancestor = path_ancestor(&scene->base, pair);
    set_chain(&c, (int)pair.a, ancestor, &frames->of[0]);
    set_chain(&c, (int)pair.b, ancestor, &frames->of[1]);
}
