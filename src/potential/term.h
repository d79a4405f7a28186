/* Sums of outer products, and the projection, of the Hessian of one term. */
#ifndef GZ_POTENTIAL_TERM_H
#define GZ_POTENTIAL_TERM_H

#include "graze/potential.h"

#include <stdbool.h>

#define GZ_TERM 12

/* A term of that many rows, zero as far as the order is asked for. */
void gz_term_begin(graze_term *term, int rows, graze_order order);

/* hessian += factor × outer product of a (rows) with itself. */
void gz_term_outer(graze_term *term, double factor, const double *a);
/* hessian += factor × (a bᵀ + b aᵀ) */
void gz_term_cross(graze_term *term, double factor, const double *a, const double *b);

/* Multiplies as much of it. */
void gz_term_scale(graze_term *term, double factor, graze_order order);

/* Replaces the negative eigenvalues of a symmetric matrix by zero; `n` ≤ GZ_TERM rows of `stride` doubles. False where
   there are none. */
bool gz_term_project(double *matrix, int n, size_t stride);

/* The caller's options, NULL for none, with every field that they lack; each is in its range. */
graze_status gz_potential_options_read(graze_context *context, const graze_potential_options *given,
                                       graze_potential_options *options);

/* True if a result of so many bytes shares none with the rows, which may be NULL. */
bool gz_rows_apart(const void *result, size_t bytes, const double (*x)[3]);

/* GRAZE_OK, or what is wrong with a coordinate of the rows. */
graze_status gz_rows_check(graze_kind kind, const double (*x)[3]);

/* Options, and the arguments of a single contact. */
graze_status gz_contact_read(const graze_contact *contact, const double (*x)[3], const graze_potential_options *given,
                             graze_potential_options *options);

/* Options that were read, and a contact that was checked: what graze_contact_term and graze_friction_term do. */
void gz_contact_term(const graze_contact *contact, const double (*x)[3], const graze_potential_options *options,
                     graze_order order, graze_term *term);
void gz_friction_term(const graze_friction *friction, const double (*x0)[3], const double (*x)[3],
                      const graze_potential_options *options, graze_order order, graze_term *term);

#endif
