#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* The checker of certificates: it takes every proof that the library gives, and no false claim. What is true is told by
   graze_truth, which shares nothing with the checker. */
#include "verify/proofs.h"

#include "io/folder.h"
#include "io/query_csv.h"

#include <sys/mman.h>
#include <unistd.h>

static void use_accept(proof *p, test_random *random) {
    (void)random;
    expect_accepted(&p->pair);
}

TEST(proofs_of_random_pairs_are_accepted) { for_random_proofs(1, 6000, use_accept); }

TEST(proofs_of_handcrafted_pairs_are_accepted) { for_handcrafted_proofs(3, 24, use_accept); }

TEST(proofs_of_the_reference_queries_are_accepted) {
    const char *data = test_data_folder();
    if (!data) return;
    char folder[600];
    snprintf(folder, sizeof folder, "%s/queries", data);
    io_paths paths = {0};
    io_error error = {""};
    bool found = io_list_folder(folder, ".csv", true, &paths, &error);
    CHECK_MSG(found && paths.count > 0, "%s", error.message);
    if (!found) return;
    static proof p;
    for (size_t f = 0; f < paths.count; f++) {
        io_queries queries;
        CHECK_MSG(io_read_query_csv(paths.paths[f], &queries, &error), "%s", error.message);
        graze_kind kind = strstr(paths.paths[f], "edge-edge") ? GRAZE_EE : GRAZE_VF;
        for (size_t i = 0; i < queries.count; i++) {
            graze_method method = i % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
            if (prove(&p, kind, &queries.queries[i], i % 5 ? 0 : 1e-3, 1, method)) expect_accepted(&p.pair);
        }
        io_free_queries(&queries);
    }
    io_free_paths(&paths);
}

/* ---- the checker's own decisions ---- */

/* A pair without a proof: all is left to the checker. */
static void leave_to_checker(proof *p) {
    p->pair.free_count = p->pair.toi > 0;
    p->pieces[0] = (verify_piece){.proof = VERIFY_DECIDED, .t0 = 0, .t1 = p->pair.toi};
    p->pair.contact = p->pair.toi_upper <= 1 ? VERIFY_CONTACT_DECIDED : VERIFY_NO_CONTACT;
}

static void use_decide(proof *p, test_random *random) {
    (void)random;
    verify_pair *pair = &p->pair;
    graze_truth *truth = truth_of(pair);
    if (!truth) return;
    double lower, upper;
    if (graze_truth_hit(truth)) {
        graze_truth_bracket(truth, &lower, &upper);
        pair->verdict = VERIFY_HIT, pair->toi = lower, pair->toi_upper = upper;
        leave_to_checker(p);
        expect_accepted(pair);
        if (upper < pair->t_max) { /* one double later is too late */
            pair->toi = pair->toi_upper = nextafter(upper, 2);
            leave_to_checker(p);
            CHECK(!accepted(pair));
        }
        if (lower > 0) { /* and one before is no contact */
            pair->toi = 0, pair->toi_upper = nextafter(lower, -1);
            leave_to_checker(p);
            CHECK(lower == upper ? !accepted(pair) : graze_truth_compare(truth, lower) < 0 && !accepted(pair));
        }
        pair->verdict = VERIFY_CLEAR, pair->toi = pair->t_max, pair->toi_upper = INFINITY;
        leave_to_checker(p);
        CHECK(!accepted(pair));
    } else {
        pair->verdict = VERIFY_CLEAR, pair->toi = pair->t_max, pair->toi_upper = INFINITY;
        leave_to_checker(p);
        expect_accepted(pair);
        pair->verdict = VERIFY_HIT, pair->toi = 0, pair->toi_upper = pair->t_max;
        leave_to_checker(p);
        CHECK(!accepted(pair));
    }
    graze_truth_destroy(NULL, truth);
}

TEST(what_the_checker_decides_by_itself_agrees_with_the_oracle) {
    for_random_proofs(5, 2500, use_decide);
    for_handcrafted_proofs(6, 12, use_decide);
}

/* ---- tampering: proofs that are no longer proofs ---- */

static int tampered;

static void expect_rejected(const verify_pair *pair, const char *how) {
    char reason[VERIFY_TEXT] = "";
    bool good = !verify_check(pair, reason);
    tampered++;
    if (good) {
        CHECK_MSG(reason[0] != '\0', "%s: no reason is given", how);
        return;
    }
    graze_query query;
    query_of(pair, &query);
    CHECK_MSG(good, "%s: accepted", how);
    test_print_query(kind_of(pair), &query);
}

static void use_tamper(proof *p, test_random *random) {
    static proof copy;
    verify_pair *pair = &copy.pair;
    size_t count = p->pair.free_count;
#define FRESH()                                                                                                        \
    do {                                                                                                               \
        *pair = p->pair;                                                                                               \
        pair->free = copy.pieces;                                                                                      \
        memcpy(copy.pieces, p->pieces, (count + 1) * sizeof *copy.pieces);                                             \
    } while (0)
    if (count) {
        size_t k = test_random_below(random, count);
        verify_piece *piece = &copy.pieces[k];
        FRESH();
        if (piece->proof == VERIFY_DIRECTION) {
            for (int c = 0; c < 3; c++) piece->n[c] = -piece->n[c];
            expect_rejected(pair, "direction turned round");
            FRESH();
            memset(piece->n, 0, sizeof piece->n);
            expect_rejected(pair, "no direction");
        }
        FRESH();
        memmove(piece, piece + 1, (count - k) * sizeof *piece);
        pair->free_count--;
        expect_rejected(pair, "a piece dropped");
        FRESH();
        piece->t1 = nextafter(piece->t1, -1);
        expect_rejected(pair, "an end moved back");
        FRESH();
        piece->t1 = nextafter(piece->t1, 2);
        expect_rejected(pair, "an end moved on");
        FRESH();
        piece->t0 = nextafter(piece->t0, 2);
        expect_rejected(pair, "a begin moved on");
        FRESH();
        pair->toi = nextafter(pair->toi, -1);
        expect_rejected(pair, "toi moved alone");
        if (count > 1) {
            FRESH();
            verify_piece first = copy.pieces[0];
            copy.pieces[0] = copy.pieces[count - 1];
            copy.pieces[count - 1] = first;
            expect_rejected(pair, "pieces swapped");
        }
        FRESH(); /* at the end of the first piece a corner meets a corner */
        memcpy(pair->x1[pair->kind == VERIFY_EE ? 2 : 1], pair->x1[0], sizeof pair->x1[0]);
        memcpy(pair->x0[pair->kind == VERIFY_EE ? 2 : 1], pair->x0[0], sizeof pair->x0[0]);
        expect_rejected(pair, "a coordinate moved into contact");
        FRESH();
        pair->separation = 0x1p200;
        expect_rejected(pair, "a separation beyond the pair");
    }
    FRESH();
    if (pair->verdict == VERIFY_CLEAR) {
        pair->verdict = VERIFY_HIT;
        expect_rejected(pair, "clear made a hit");
        pair->toi_upper = pair->t_max;
        for (verify_contact contact = VERIFY_CROSSING; contact <= VERIFY_CONTACT_DECIDED; contact++) {
            pair->contact = contact;
            expect_rejected(pair, "clear made a proven hit");
        }
        FRESH();
        pair->verdict = VERIFY_UNRESOLVED;
        expect_rejected(pair, "clear made unresolved");
    } else {
        bool proven = pair->contact != VERIFY_NO_CONTACT;
        pair->verdict = VERIFY_CLEAR;
        expect_rejected(pair, "a hit made clear");
        if (count && proven) {
            pair->contact = VERIFY_NO_CONTACT, pair->toi_upper = INFINITY;
            pair->toi = copy.pieces[count - 1].t1 = pair->t_max;
            expect_rejected(pair, "a hit made clear, up to t_max");
        }
        if (proven) {
            FRESH();
            pair->toi_upper = nextafter(pair->toi, -1);
            if (pair->toi > 0) expect_rejected(pair, "toi_upper before toi");
            FRESH();
            pair->contact = VERIFY_NO_CONTACT;
            expect_rejected(pair, "the proof of a contact dropped");
            FRESH();
            pair->verdict = VERIFY_UNRESOLVED;
            expect_rejected(pair, "a hit made unresolved");
        }
    }
}

TEST(every_kind_of_tampering_is_rejected) {
    tampered = 0;
    for_random_proofs(7, 1500, use_tamper);
    for_handcrafted_proofs(8, 6, use_tamper);
    CHECK_MSG(tampered > 10000, "only %d", tampered);
}

TEST(a_proof_of_one_pair_proves_nothing_of_another) {
    static proof a, b;
    test_random random = {9};
    int swapped = 0;
    for (int i = 0; i < 1500; i++) {
        graze_query query_a, query_b;
        random_query(&random, &query_a);
        random_query(&random, &query_b);
        graze_kind kind = (graze_kind)(i % 4);
        if (!prove(&a, kind, &query_a, 0, 1, GRAZE_METHOD_EXACT) ||
            !prove(&b, kind, &query_b, 0, 1, GRAZE_METHOD_EXACT))
            continue;
        memcpy(a.pair.x0, b.pair.x0, sizeof a.pair.x0);
        memcpy(a.pair.x1, b.pair.x1, sizeof a.pair.x1);
        if (claims_are_true(&a.pair)) continue;
        CHECK_QUERY(!accepted(&a.pair), kind, &query_b);
        swapped++;
    }
    CHECK_MSG(swapped > 100, "only %d", swapped);
}

/* ---- tampering at random: whatever is changed, a false claim is never accepted ---- */

static int false_claims, true_claims_accepted;

static double change(test_random *random, double x) {
    switch (test_random_below(random, 6)) {
    case 0: return nextafter(x, -1e300);
    case 1: return nextafter(x, 1e300);
    case 2: return x * 0.5;
    case 3: return x + test_random_between(random, -1, 1) * 1e-3;
    case 4: return -x;
    default: return x + test_random_between(random, -1, 1);
    }
}

static double change_time(test_random *random, double t) { return fmin(1, fmax(0, change(random, t))); }

static void use_mutate(proof *p, test_random *random) {
    verify_pair *pair = &p->pair;
    for (int changes = 1 + (int)test_random_below(random, 3); changes > 0; changes--) {
        verify_piece *piece = pair->free_count ? &p->pieces[test_random_below(random, pair->free_count)] : NULL;
        int i = (int)test_random_below(random, 4), c = (int)test_random_below(random, 3);
        switch (test_random_below(random, 8)) {
        case 0: pair->x0[i][c] = change(random, pair->x0[i][c]); break;
        case 1: pair->x1[i][c] = change(random, pair->x1[i][c]); break;
        case 2: pair->separation = fabs(change(random, pair->separation)); break;
        case 3: /* toi and the end of what proves it */
            pair->toi = change_time(random, pair->toi);
            if (pair->free_count) p->pieces[pair->free_count - 1].t1 = pair->toi;
            break;
        case 4:
            pair->toi_upper = change_time(random, pair->toi_upper <= 1 ? pair->toi_upper : pair->t_max);
            pair->verdict = VERIFY_HIT;
            pair->contact = (verify_contact)(VERIFY_CROSSING + test_random_below(random, 3));
            break;
        case 5:
            pair->verdict = VERIFY_CLEAR, pair->toi = pair->t_max, pair->toi_upper = INFINITY;
            pair->contact = VERIFY_NO_CONTACT;
            if (!pair->free_count) *(p->pieces + pair->free_count++) = (verify_piece){.proof = VERIFY_DECIDED};
            p->pieces[pair->free_count - 1].t1 = pair->toi;
            break;
        case 6:
            if (piece) piece->proof = (verify_proof)test_random_below(random, 3);
            break;
        default:
            if (piece) piece->n[c] = change(random, piece->n[c]);
        }
    }
    for (int i = rows_of(kind_of(pair)); i < 4; i++) {
        memset(pair->x0[i], 0, sizeof pair->x0[i]);
        memset(pair->x1[i], 0, sizeof pair->x1[i]);
    }
    bool true_claims = claims_are_true(pair), taken = accepted(pair);
    graze_query query;
    query_of(pair, &query);
    if (!true_claims) {
        CHECK_QUERY(!taken, kind_of(pair), &query);
        false_claims++;
    }
    true_claims_accepted += true_claims && taken;
}

TEST(no_false_claim_is_accepted_whatever_is_changed) {
    false_claims = true_claims_accepted = 0;
    for_random_proofs(11, 6000, use_mutate);
    for_handcrafted_proofs(12, 12, use_mutate);
    CHECK_MSG(false_claims > 1500 && true_claims_accepted > 500, "%d false, %d true", false_claims,
              true_claims_accepted);
}

/* ---- cases by hand ---- */

TEST(the_bullet_through_the_segment_is_a_crossing_at_one_half) {
    verify_piece pieces[] = {{.proof = VERIFY_DECIDED, .t0 = 0, .t1 = 0.5}};
    verify_pair pair = {.kind = VERIFY_VF,
                        .x0 = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                        .x1 = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                        .t_max = 1,
                        .verdict = VERIFY_HIT,
                        .toi = 0.5,
                        .toi_upper = 0.5,
                        .free = pieces,
                        .free_count = 1,
                        .contact = VERIFY_TOUCHING};
    CHECK(accepted(&pair));
    CHECK(verify_find_contact(&pair) == VERIFY_TOUCHING);
    pieces[0].proof = VERIFY_VOLUME; /* it is zero at 0.5 */
    CHECK(!accepted(&pair));
    pieces[0] = (verify_piece){.proof = VERIFY_DIRECTION, .n = {0, 0, -1}, .t1 = 0.5};
    CHECK(!accepted(&pair));
    pieces[0].t1 = pair.toi = 0.4375;
    pair.toi_upper = 0.625;
    CHECK(!accepted(&pair)); /* it does not touch at 0.625 */
    pair.contact = VERIFY_CROSSING;
    CHECK(accepted(&pair));
    pieces[0].proof = VERIFY_VOLUME;
    CHECK(accepted(&pair));
    pair.x0[0][0] = pair.x1[0][0] = 0.8125; /* now it passes beside the face */
    CHECK(!accepted(&pair));
    /* within 0.125 at distance 0.125: at t = 0.4375 */
    pair.x0[0][0] = pair.x1[0][0] = 0.25;
    pair.separation = 0.125;
    pair.toi_upper = 0.4375;
    pair.contact = VERIFY_TOUCHING;
    pieces[0].proof = VERIFY_DECIDED;
    CHECK(accepted(&pair));
    pair.contact = VERIFY_CROSSING; /* is for contacts without a separation */
    CHECK(!accepted(&pair));
    pair.contact = VERIFY_TOUCHING;
    pieces[0] = (verify_piece){.proof = VERIFY_DIRECTION, .n = {0, 0, -1}, .t1 = 0.4375};
    CHECK(!accepted(&pair)); /* not more than the separation there */
    pieces[0].t1 = pair.toi = 0.4375 - 0x1p-40;
    CHECK(accepted(&pair));
}

/* Balls so large that they overlap all of the time, of different sizes: two points of the pair show it. */
TEST(thick_pairs_that_touch_have_two_points_that_show_it) {
    test_random random = {13};
    for (int i = 0; i < 400; i++) {
        verify_pair pair = {.kind = (verify_kind)(i % 4), .t_max = 1, .verdict = VERIFY_HIT};
        int rows = rows_of(kind_of(&pair));
        double size = i % 8 < 4 ? 1 : 0x1p-1060; /* also where squares underflow */
        for (int r = 0; r < rows; r++) {
            pair.radii[r] = (i % 16 < 8 ? 3 : 0.5) * size * (1 + 0.125 * r);
            for (int c = 0; c < 3; c++) {
                pair.x0[r][c] =
                    size * (i % 3 ? test_random_between(&random, -1, 1) : (double)test_random_below(&random, 3));
                pair.x1[r][c] = size * test_random_between(&random, -1, 1);
            }
        }
        pair.toi_upper = test_random_unit(&random);
        pair.contact = verify_find_contact(&pair);
        if (i % 16 < 8) CHECK_MSG(pair.contact != VERIFY_NO_CONTACT, "%d", i);
        if (pair.contact != VERIFY_NO_CONTACT) expect_accepted(&pair);
    }
    verify_pair apart = {.kind = VERIFY_PP, .x1 = {{0}}, .x0 = {{0, 0, 9}}, .t_max = 1, .verdict = VERIFY_HIT};
    apart.x1[0][2] = 9;
    apart.toi_upper = 1;
    CHECK(verify_find_contact(&apart) == VERIFY_NO_CONTACT);
}

TEST(coordinates_of_every_size_are_taken_exactly) {
    /* a gap of one part in 2^2000 of the coordinates */
    verify_piece pieces[] = {{.proof = VERIFY_DIRECTION, .n = {0, 0, 1}, .t0 = 0, .t1 = 1}};
    verify_pair pair = {.kind = VERIFY_PP,
                        .x0 = {{0x1p1000, 0, 0}, {0x1p1000, 0, 0x1p-1074}},
                        .x1 = {{-0x1p1000, 0, 0}, {-0x1p1000, 0, 0x1p-1074}},
                        .t_max = 1,
                        .toi = 1,
                        .toi_upper = INFINITY,
                        .free = pieces,
                        .free_count = 1};
    CHECK(accepted(&pair));
    pieces[0].proof = VERIFY_DECIDED;
    CHECK(accepted(&pair));
    pair.separation = 0x1p-1074;
    CHECK(!accepted(&pair));
    pieces[0].proof = VERIFY_DIRECTION;
    CHECK(!accepted(&pair));
    pair.separation = 0;
    pair.x1[1][2] = 0;
    CHECK(!accepted(&pair));
}

/* ---- the text ---- */

static const char one_pair[] =
    "{\"format\": \"graze certificate 1\", \"separation\": 0, \"t_max\": 1, \"pairs\": [{\"kind\": \"pp\", "
    "\"x0\": [[0,0,0],[1,0,0]], \"x1\": [[0,0,0],[1,0,0]], \"verdict\": \"clear\", \"toi\": 1, \"toi_upper\": null, "
    "\"free\": [{\"n\": [1,0,0], \"t0\": 0, \"t1\": 1}], \"hit\": null, \"file\": \"\\u00e4\\ud834\\udd1e\xc3\xa4\", "
    "\"index\": "
    "12.5e0}]}";

static bool is_certificate(const char *text, size_t size, char message[VERIFY_TEXT]) {
    verify_report report;
    return verify_text(text, size, 1, NULL, &report, message) && report.rejected == 0;
}

TEST(nothing_behind_the_end_of_a_text_is_read) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = sizeof one_pair - 1;
    char message[VERIFY_TEXT];
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        CHECK_MSG(false, "no memory");
        return;
    }
    CHECK(mprotect(memory + page, page, PROT_NONE) == 0);
    for (size_t cut = 0; cut <= size; cut++) { /* the text ends where the page does */
        char *text = memory + page - cut;
        memcpy(text, one_pair, cut);
        CHECK_MSG(is_certificate(text, cut, message) == (cut == size), "%zu bytes: %s", cut, message);
    }
    munmap(memory, 2 * page);
}

TEST(a_number_is_read_by_the_grammar_and_has_at_most_400_characters) {
    static const struct {
        const char *text;
        bool good;
    } numbers[] = {{"1", true},     {"1.0", true},     {"1e0", true},    {"1.0E+0", true}, {"0.1e1", true},
                   {"10e-1", true}, {"01", false},     {"1.", false},    {".1e1", false},  {"1e", false},
                   {"1e+", false},  {"+1", false},     {"--1", false},   {"0x1", false},   {"1e0.", false},
                   {"1 e0", false}, {"1.e0", false},   {"1e999", false}, {"inf", false},   {"nan", false},
                   {"-", false},    {"00.1e1", false}, {"1_0e-1", false}};
    char text[2000], message[VERIFY_TEXT], longest[420];
    const char *place = strstr(one_pair, "\"toi\": 1");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers + 2; i++) {
        bool good = i < sizeof numbers / sizeof *numbers ? numbers[i].good : i == sizeof numbers / sizeof *numbers;
        const char *number = i < sizeof numbers / sizeof *numbers ? numbers[i].text : longest;
        snprintf(longest, sizeof longest, "1.%0*d", good ? 398 : 399, 0); /* 400 characters, and one more */
        snprintf(text, sizeof text, "%.*s\"toi\": %s%s", (int)(place - one_pair), one_pair, number, place + 8);
        CHECK_MSG(is_certificate(text, strlen(text), message) == good, "%s: %s", number, message);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
