/* Sine and cosine with a proven error, the same bits on every machine: the C library's differ. */
#ifndef GZ_MOTION_SINE_H
#define GZ_MOTION_SINE_H

/* Angles up to this size, in radians, are reduced without loss. */
#define GZ_MAX_ANGLE 0x1p20

typedef struct gz_sine {
    double sin, cos;
} gz_sine;

/* |x| ≤ GZ_MAX_ANGLE; both within GZ_SINE_ERROR of the exact values. */
gz_sine gz_sine_of(double x);

/* sin x / x, within GZ_SINC_ERROR; 1 for 0. |x| ≤ GZ_MAX_ANGLE */
double gz_sinc_of(double x);

/* The angle in [−π, π] of the direction (cosine, sine), which need not have length 1 but is not 0. */
double gz_angle_of(double sine, double cosine);

#endif
