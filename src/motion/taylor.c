/* Taylor models of sines and of moving frames. */
#include "motion/taylor.h"

#include "motion/sine.h"

/* sin x and cos x of a model with no constant term, |x| ≤ size: one and two terms, and Lagrange's bound on the rest. */
static void sine_of_small(const gz_taylor *x, gz_taylor *sine, gz_taylor *cosine) {
    gz_taylor square = gz_taylor_product(x, x), cube = gz_taylor_product(&square, x);
    double size = gz_taylor_most(x), fourth = size * size * size * size * GZ_TAYLOR_UP;
    *sine = gz_taylor_mix(0, x, 1, &cube, -1.0 / 6, 0);
    *cosine = gz_taylor_mix(1, &square, -0.5, x, 0, 0);
    sine->r += fourth * size / 120;
    cosine->r += fourth / 24;
    gz_taylor_close(sine);
    gz_taylor_close(cosine);
}

void gz_taylor_sine(const gz_taylor *angle, gz_taylor *sine, gz_taylor *cosine) {
    gz_taylor x = *angle, s, c;
    gz_sine at = gz_sine_of(angle->c[0]);
    if (angle->still) { /* neither changes by more than the angle */
        *sine = gz_taylor_constant(at.sin, (GZ_SINE_ERROR + angle->r) * GZ_TAYLOR_UP);
        *cosine = gz_taylor_constant(at.cos, (GZ_SINE_ERROR + angle->r) * GZ_TAYLOR_UP);
        return;
    }
    x.c[0] = 0;
    gz_taylor_close(&x);
    sine_of_small(&x, &s, &c);
    *sine = gz_taylor_mix(0, &c, at.sin, &s, at.cos, GZ_SINE_ERROR);
    *cosine = gz_taylor_mix(0, &c, at.cos, &s, -at.sin, GZ_SINE_ERROR);
}

const gz_kernels *gz_frame_kernels(const gz_kernels *kernels) {
    return kernels->doubles > 4 && kernels->half ? kernels->half : kernels;
}

void gz_frame_compose(const gz_kernels *kernels, const gz_frame_model *a, const gz_frame_model *b, bool still,
                      gz_frame_model *out) {
    gz_frame_kernels(kernels)->frame(a, b, false, still, out);
}

void gz_frame_seen_from(const gz_kernels *kernels, const gz_frame_model *a, const gz_frame_model *b, bool still,
                        gz_frame_model *out) {
    gz_frame_model moved = *a;
    for (int k = 0; k < 3; k++) {
        gz_taylor x = gz_frame_entry(a, k, 3), y = gz_frame_entry(b, k, 3);
        gz_frame_set(&moved, k, 3, gz_taylor_sum(&x, &y, -1));
    }
    gz_frame_kernels(kernels)->frame(b, &moved, true, still, out);
}
