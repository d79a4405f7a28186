/* Writes every claim that a test gives to verify_check, and what that says, to the file that GRAZE_CLAIMS names: for
   the twin of the checker (`./dev twin`). The linker puts it between the two. A line: A (accepted) or R and the piece
   at fault (−1: another reason), kind, separation, toi, 4 radii, 24 coordinates, the number of pieces, and of each the
   proof (d, v, or x for one that the checker decides), its times and its direction. */
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool __real_verify_check(const verify_pair *pair, char reason[VERIFY_TEXT]);
bool __wrap_verify_check(const verify_pair *pair, char reason[VERIFY_TEXT]);

static FILE *log_of(void) {
    static FILE *stream;
    const char *path = getenv("GRAZE_CLAIMS");
    if (!stream && path && *path) stream = fopen(path, "a");
    return stream;
}

static void put(FILE *stream, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) fprintf(stream, " %a", x[i]);
}

/* Of a piece whose direction, or whose volume, was refused. */
static int piece_at_fault(const char *reason) {
    int piece = -1;
    if (!strstr(reason, "its direction does not") && !strstr(reason, "the volume does not stay")) return -1;
    return sscanf(reason, "piece %d:", &piece) == 1 ? piece : -1;
}

static void put_claim(FILE *stream, const verify_pair *pair, bool accepted, const char *reason) {
    fprintf(stream, "%s %d %d", accepted ? "A" : "R", accepted ? -1 : piece_at_fault(reason), (int)pair->kind);
    put(stream, &pair->separation, 1);
    put(stream, &pair->toi, 1);
    put(stream, pair->radii, 4);
    put(stream, pair->x0[0], 12);
    put(stream, pair->x1[0], 12);
    fprintf(stream, " %zu", pair->free_count);
    for (size_t i = 0; i < pair->free_count; i++) {
        const verify_piece *piece = &pair->free[i];
        fputs(piece->proof == VERIFY_DIRECTION ? " d" : piece->proof == VERIFY_VOLUME ? " v" : " x", stream);
        put(stream, &piece->t0, 1);
        put(stream, &piece->t1, 1);
        put(stream, piece->n, 3);
    }
    putc('\n', stream);
}

bool __wrap_verify_check(const verify_pair *pair, char reason[VERIFY_TEXT]) {
    bool accepted = __real_verify_check(pair, reason);
    FILE *stream = log_of();
    if (!stream) return accepted;
    flockfile(stream);
    put_claim(stream, pair, accepted, reason);
    fflush(stream);
    funlockfile(stream);
    return accepted;
}
