/* Many worlds in one step of the device: the bits of the CPU, with positions of the host and of the device. Skipped,
   with the reason, where there is no device. */
#include "bits.h"
#include "driver.h"
#include "world/straight_worlds.h"

/* Positions of all STRAIGHT bodies in the memory of the device, a body after the other with gaps between, and motions
   that say so. */
typedef struct placed {
    straight_worlds made;
    device_address x;
} placed;

#define ROOM (MIXED_VERTICES + 2) /* rows that a body takes */

static void place(const driver *d, const straight_worlds *host, placed *there) {
    static double rows[2][STRAIGHT_BODIES][ROOM][3];
    there->made = *host;
    memset(rows, 0xff, sizeof rows); /* what lies between is no number */
    for (size_t b = 0; b < host->count; b++) {
        if (host->bodies[b].kind != GRAZE_BODY_STRAIGHT) continue;
        size_t size = host->bodies[b].mesh->vertex_count * sizeof(double[3]);
        memcpy(rows[0][b], host->motions[b].x0, size);
        memcpy(rows[1][b], host->motions[b].x1, size);
    }
    there->x = driver_array(d, sizeof rows);
    CHECK(d->to_device(there->x, rows, sizeof rows) == 0);
    for (size_t b = 0; b < host->count; b++) {
        graze_body_motion *motion = &there->made.motions[b];
        uintptr_t at = (uintptr_t)there->x + b * sizeof rows[0][0];
        motion->x0 = (const double(*)[3])at;
        motion->x1 = (const double(*)[3])(at + sizeof rows[0]);
    }
}

static graze_context *device_context(void) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 3;
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

TEST(worlds_on_the_device_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    graze_context *cpu = test_context(4, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static placed there;
    static straight_answers here, answers;
    driver d;
    test_random random = {307};
    size_t hits = 0, all = 0;
    if (!driver_open(&d)) return;
    for (int round = 0; round < 60; round++) {
        straight_draw(&random, cpu, 1 + test_random_below(&random, STRAIGHT_WORLDS), &made);
        graze_worlds *alone = straight_make(cpu, &made), *joined = straight_make(device, &made);
        place(&d, &made, &there);
        straight_ask(cpu, &made, alone, false, &here);
        for (int k = 0; k < 4; k++) { /* each twice: what stays is there the second time */
            straight_ask(device, k % 2 ? &there.made : &made, joined, k % 2, &answers);
            hits += straight_compare(&here, &answers, made.worlds);
            all += made.worlds;
        }
        CHECK(d.release(there.x) == 0);
        graze_worlds_release(joined);
        graze_worlds_release(alone);
        straight_release(&made);
    }
    CHECK_MSG(hits > all / 10 && hits < all - all / 10, "%zu of %zu worlds are hit\n", hits, all);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

/* A step of another mesh between two calls takes the place of what stayed. */
TEST(worlds_and_steps_take_turns_on_the_device) {
    if (!have_device()) return;
    graze_context *cpu = test_context(4, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static straight_answers here, answers;
    static soup s;
    test_random random = {311};
    straight_draw(&random, cpu, 20, &made);
    soup_make(&s, cpu, SOUP_UNIFORM, 200, 3);
    graze_worlds *alone = straight_make(cpu, &made), *joined = straight_make(device, &made);
    straight_ask(cpu, &made, alone, false, &here);
    graze_step_result one = graze_default_step_result(), other = graze_default_step_result();
    CHECK(graze_step(cpu, &s.mesh, POSITIONS(&s), NULL, &one) == GRAZE_OK);
    for (int round = 0; round < 4; round++) {
        straight_ask(device, &made, joined, false, &answers);
        straight_compare(&here, &answers, made.worlds);
        CHECK(graze_step(device, &s.mesh, POSITIONS(&s), NULL, &other) == GRAZE_OK);
        CHECK(one.toi == other.toi && same_bits(&one.limiting, &other.limiting));
    }
    graze_worlds_release(joined);
    graze_worlds_release(alone);
    graze_mesh_release(cpu, &s.mesh);
    straight_release(&made);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

TEST(a_world_with_a_bad_number_on_the_device_stops_only_itself) {
    if (!have_device()) return;
    graze_context *cpu = test_context(4, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static placed there;
    static straight_answers here, answers;
    static double nowhere[MIXED_VERTICES][3] = {{0, NAN, 0}};
    driver d;
    test_random random = {313};
    if (!driver_open(&d)) return;
    straight_draw(&random, cpu, 20, &made);
    made.motions[1 + 7].x1 = (const double(*)[3])nowhere; /* the first body of world 7 */
    graze_worlds *alone = straight_make(cpu, &made), *joined = straight_make(device, &made);
    place(&d, &made, &there);
    straight_ask(cpu, &made, alone, false, &here);
    for (int k = 0; k < 2; k++) {
        straight_ask(device, k ? &there.made : &made, joined, k, &answers);
        straight_compare(&here, &answers, made.worlds);
        CHECK(answers.statuses[7] == GRAZE_ERR_NOT_FINITE && answers.statuses[8] == GRAZE_OK);
    }
    made.motions[1].x0 = made.motions[1].x1; /* not of the device */
    straight_ask(device, &made, joined, true, &answers);
    CHECK(answers.status == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(d.release(there.x) == 0);
    graze_worlds_release(joined);
    graze_worlds_release(alone);
    straight_release(&made);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
