/* Screws; what is rounded here is in GZ_SCREW_ERROR and GZ_SINC_ERROR, docs/numerics.md, section 9.3. */
#include "motion/screw.h"

#include "motion/sine.h"
#include "numerics/vec3.h"

/* Turns whose chord is a smaller part of the arc than this count as whole. */
#define LEAST_CHORD 0x1p-10

/* Across the axis the way is ∫ R(tθ)·swing dt = (p + q·axis×)·swing, p = sin θ/θ and q = (1 − cos θ)/θ, and p² + q² is
   the square of the chord. */
bool gz_screw_about(const double axis[3], double angle, const double way[3], gz_screw *screw) {
    double along = axis[0] * way[0] + axis[1] * way[1] + axis[2] * way[2], across[3];
    double chord = gz_sinc_of(0.5 * angle), p = gz_sinc_of(angle), q = 0.5 * angle * chord * chord;
    *screw = (gz_screw){.angle = angle};
    if (!(fabs(chord) >= LEAST_CHORD)) return false;
    for (int c = 0; c < 3; c++) {
        screw->slide[c] = along * axis[c];
        across[c] = way[c] - screw->slide[c];
    }
    gz_vec3 turned = gz_vec3_cross(gz_vec3_of(axis), gz_vec3_of(across));
    for (int c = 0; c < 3; c++) screw->swing[c] = (p * across[c] - q * turned.c[c]) / (chord * chord);
    gz_vec3 bend = gz_vec3_cross(gz_vec3_of(axis), gz_vec3_of(screw->swing));
    for (int c = 0; c < 3; c++) screw->bend[c] = angle * bend.c[c];
    screw->stretch = (1 / fabs(chord)) * GZ_TAYLOR_UP;
    return true;
}

void gz_screw_models(const gz_screw *screw, gz_window window, gz_taylor *s, gz_taylor *c) {
    double m = window.m, h = window.h, error = GZ_SINC_ERROR + 4 * GZ_PATH_ERROR;
    double half = gz_sinc_of(0.5 * screw->angle * m);
    gz_taylor angle = {.c = {screw->angle * m, screw->angle * h}, .r = GZ_PATH_ERROR * fabs(screw->angle)}, sine,
              cosine;
    gz_taylor_close(&angle);
    gz_taylor_sine(&angle, &sine, &cosine);
    *s = gz_taylor_integral(&cosine, h, m * gz_sinc_of(screw->angle * m), error * fabs(m));
    *c = gz_taylor_integral(s, h, 0.5 * (m * half) * (m * half), error * m * m);
}
