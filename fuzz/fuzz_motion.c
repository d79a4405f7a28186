/* Models on joints and their motions, drawn from bytes. Judges: distances of 256 bits, every instruction set, the
   checker where the motion is clear. */
#include "fuzz/numbers.h"

#include "articulated/random_motions.h"
#include "same_contact.h"
#include "verify/verify.h"

enum { MOST_TEXT = 1 << 22, SAMPLES = 8 };

static struct {
    char text[MOST_TEXT];
    size_t size;
} certificate;

static int append(void *user, const char *text, size_t size) {
    (void)user;
    if (certificate.size + size > MOST_TEXT) return 1;
    memcpy(certificate.text + certificate.size, text, size);
    certificate.size += size;
    return 0;
}

static bool same(const graze_articulated_result *a, const graze_articulated_result *b) {
    return a->verdict == b->verdict && a->reason == b->reason && a->has_contact == b->has_contact &&
           memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 && memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) == 0 &&
           same_contact(&a->contact, &b->contact);
}

static void require_bits(const moving *m, const graze_articulated_result *first) {
    for (graze_isa isa = GRAZE_ISA_SCALAR; isa < (graze_isa)FUZZ_ISAS; isa++) {
        if (!fuzz_context(isa)) continue;
        graze_articulated_result r = graze_default_articulated_result();
        fuzz_require(graze_articulated_step(fuzz_context(isa), (const graze_model *const *)&m->model, 1, &m->motion,
                                            &m->options, &r) == GRAZE_OK);
        fuzz_require(same(first, &r));
    }
}

/* The motion as certificates take it; false where they do not: rotation vectors, polynomials that are no cubics. */
static bool can_be_certified(const moving *m, graze_motion *motion) {
    *motion = m->motion;
    motion->rotvecs = NULL;
    if (motion->bezier && motion->degree == 3) motion->cubic = (const double(*)[4])m->bezier;
    if (motion->cubic) motion->bezier = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (m->rotvecs[i]) return false;
    return motion->bezier == NULL;
}

/* A certificate may lack for work or for closeness; one that was written is true. */
static void require_proof(const moving *m) {
    graze_motion motion;
    if (!can_be_certified(m, &motion)) return;
    graze_articulated_result r = graze_default_articulated_result();
    verify_path_report report;
    char message[VERIFY_TEXT];
    certificate.size = 0;
    graze_status status =
        graze_articulated_certificate(fuzz_context(GRAZE_ISA_SCALAR), (const graze_model *const *)&m->model, 1, &motion,
                                      1, &m->options, append, NULL, &r);
    if (status == GRAZE_ERR_CALLBACK) return;
    fuzz_require(status == GRAZE_OK);
    if (r.verdict != GRAZE_CLEAR) {
        fuzz_require(r.verdict == GRAZE_UNRESOLVED);
        return;
    }
    if (!verify_path_text(certificate.text, certificate.size, 1, 0x1p30, &report, message)) {
        printf("%s\n", message);
        CHECK(strstr(message, "work"));
    } else {
        CHECK_MSG(report.rejected == 0, "%s: %s", report.name, report.reason);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tally t;
    moving m;
    graze_context *context = fuzz_context(GRAZE_ISA_SCALAR);
    graze_articulated_result r = graze_default_articulated_result(), any = r;
    test_random_feed(data, size);
    graze_status made = make_motion(&m, context, size ? data[size - 1] : 0);
    test_random_feed(NULL, 0);
    fuzz_require(made == GRAZE_OK || made == GRAZE_ERR_INVALID_ARGUMENT);
    if (made != GRAZE_OK) return 0; /* an axis or a quaternion of length 0 */
    m.options.max_checks = 1 << 18;
    const graze_model *model = m.model;
    graze_status status = graze_articulated_step(context, &model, 1, &m.motion, &m.options, &r);
    fuzz_require(status == GRAZE_OK || status == GRAZE_ERR_INVALID_ARGUMENT);
    if (status == GRAZE_OK) { /* else a screw that turns by whole circles */
        require_bits(&m, &r);
        if (r.verdict == GRAZE_CLEAR) require_proof(&m);
        m.options.mode = GRAZE_ARTICULATED_ANY;
        fuzz_require(graze_articulated_step(context, &model, 1, &m.motion, &m.options, &any) == GRAZE_OK);
        judge(&t, &m, &r, any.verdict, SAMPLES);
    }
    graze_model_destroy(context, m.model);
    fuzz_end();
    return 0;
}
