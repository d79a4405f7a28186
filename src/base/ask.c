#include "graze/ask.h"

#include <math.h>

int graze_ask_filter(void *asked, graze_kind kind, uint32_t a, uint32_t b) {
    const graze_asked_filter *filter = asked;
    int32_t answer = -1;
    filter->ask(filter->user, kind, a, b, &answer);
    return answer;
}

double graze_ask_energy(void *asked, const double (*x)[3]) {
    const graze_asked_energy *energy = asked;
    double answer = -INFINITY;
    energy->ask(energy->user, x, &answer);
    return answer;
}

int graze_ask_write(void *asked, const char *text, size_t size) {
    const graze_asked_write *write = asked;
    int32_t answer = -1;
    write->ask(write->user, text, size, &answer);
    return answer;
}

graze_pair_rule graze_ask_world_filter(void *asked, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                       double *separation) {
    const graze_asked_world_filter *filter = asked;
    int32_t answer = -1;
    filter->ask(filter->user, body_a, link_a, body_b, link_b, separation, &answer);
    return (graze_pair_rule)answer;
}
