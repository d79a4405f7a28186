/* Elastic energies: solids of tetrahedra, cloth of triangles and hinges, strings of segments.
 *
 * Tetrahedra and triangles are neo-Hookean: with the deformation gradient F (3 × 3 or 3 × 2) and its volume or area
 * ratio J, the density is μ/2·(|F|² − dim) − μ·ln J + λ/2·ln² J. It is infinite for a tetrahedron turned inside out. */
#ifndef GRAZE_SIM_ENERGY_ELASTIC_H
#define GRAZE_SIM_ENERGY_ELASTIC_H

#include "sim/energy/term.h"

/* A tetrahedron (dimension 3) or a triangle (2): F[i][j] = Σ_a x[a][i]·shape[a][j]. */
typedef struct sim_element {
    uint32_t vertex[4];
    int dimension;
    double shape[4][3];
    double volume; /* at rest; of a triangle its area times the thickness */
    double mu, lambda;
} sim_element;

/* From positions at rest; false for an element that is flat, inverted or not finite. `thickness` is for triangles. */
bool sim_element_make(sim_element *element, int dimension, const uint32_t *vertex, const double (*rest)[3],
                      double thickness);
void sim_element_material(sim_element *element, double young, double poisson);
void sim_element_term(const sim_element *element, double x[4][3], sim_order order, sim_term *term);

/* The edge between two triangles of a sheet that is flat at rest: stiffness/2·|Σ weight[a]·x[a]|², the discrete
   integral of the squared mean curvature. Its Hessian does not change and is positive. */
typedef struct sim_hinge {
    uint32_t vertex[4]; /* the edge, then the corners that face it */
    double weight[4], stiffness;
} sim_hinge;

bool sim_hinge_make(sim_hinge *hinge, const uint32_t vertex[4], const double (*rest)[3], double stiffness);
void sim_hinge_term(const sim_hinge *hinge, double x[4][3], sim_order order, sim_term *term);

/* A segment that wants to keep its length: stiffness/2·length·(|x1 − x0|/length − 1)². */
typedef struct sim_string {
    uint32_t vertex[2];
    double length, stiffness;
} sim_string;

bool sim_string_make(sim_string *string, const uint32_t vertex[2], const double (*rest)[3], double stiffness);
void sim_string_term(const sim_string *string, double x[4][3], sim_order order, sim_term *term);

#endif
