/// Potentials of contact: barrier, friction, and their derivatives.
///
/// At each state an IPC solver finds the pairs within a distance d̂ (graze_proximity), turns them into contacts
/// (graze_contacts_make), and sums their potentials (graze_contact_sums). By default the contacts are those of IPC
/// Toolkit: each pair acts by its closest features, pairs with the same features are one contact with a multiplicity,
/// and no contact is weighted by an area.
#ifndef GRAZE_POTENTIAL_H
#define GRAZE_POTENTIAL_H

#include "graze/proximity.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Let d be the distance of a contact, o its offset, D = d² − o² and R = (d̂ + o)² − o². A barrier is 0 for D ≥ R. Below
/// that:
typedef enum graze_barrier {
    GRAZE_BARRIER_LOG = 0,   ///< −(D − R)²·ln(D/R): infinite at contact
    GRAZE_BARRIER_QUADRATIC, ///< (D − R)²: finite at contact, so it does not prevent contact
} graze_barrier;

/// Derivatives of a potential to compute; each order includes those before it.
typedef enum graze_order {
    GRAZE_ORDER_VALUE = 0,
    GRAZE_ORDER_GRADIENT,
    GRAZE_ORDER_HESSIAN,
    GRAZE_ORDER_PROJECTED, ///< the Hessian with its negative eigenvalues replaced by 0
} graze_order;

/// Two features that a potential keeps apart.
typedef struct graze_contact {
    graze_kind kind;       ///< PP: two vertices, PE: vertex and edge, VF: vertex and face, EE: two edges
    uint32_t vertices[4];  ///< in the order of a query's rows; 0 where the kind has none
    uint32_t multiplicity; ///< number of pairs that it stands for
    double offset;         ///< as in graze_proximity_pair
    /// EE: let c be the squared length of the edges' cross product. For c < p = `parallel` the barrier is multiplied by
    /// (c/p)·(2 − c/p), which keeps it smooth as edges turn parallel. 0: no such factor
    double parallel;
} graze_contact;

/// Contacts of a state.
typedef struct graze_contact_list {
    size_t struct_size;
    graze_contact *contacts; ///< sorted by kind, vertices, offset. Owned: graze_contacts_release
    size_t count;
} graze_contact_list;

/// The potential of two to four vertices, and its derivatives by their coordinates.
typedef struct graze_term {
    int32_t rows; ///< 3 × vertices; 0 where the potential is 0 all around
    double value; ///< INFINITY if a logarithmic barrier is broken; then the derivatives are 0
    double gradient[12];
    double hessian[12][12]; ///< entries beyond `rows` are 0
} graze_term;

typedef struct graze_potential_options {
    size_t struct_size;
    graze_barrier barrier;
    double distance;  ///< d̂ > 0; default 1e-3
    double stiffness; ///< ≥ 0, factor of the barrier; default 1
    double slip;      ///< friction: the sliding distance > 0 at which it reaches its full force; default 1e-5
    size_t stride;    ///< of positions; 0: 24
} graze_potential_options;

/// Friction of a contact, with the normal force and the tangent plane of an earlier state.
typedef struct graze_friction {
    graze_kind kind;
    uint32_t vertices[4];
    double weights[4];     ///< of the vertices in the gap, at the earlier state
    double tangents[2][3]; ///< unit vectors
    double force;          ///< coefficient × normal force; 0 if none acts
} graze_friction;

/// A square matrix in compressed rows: row r has values[k] in columns[k], ascending, for row_start[r] ≤ k < row_start[r
/// + 1]. Row and column 3·v + c belong to coordinate c of vertex v.
typedef struct graze_csr {
    size_t struct_size;
    size_t rows;
    size_t *row_start; ///< rows + 1. Owned, as the others: graze_csr_release
    uint32_t *columns;
    double *values;
    size_t count;
} graze_csr;

/// Sums to compute, and where they go.
typedef struct graze_potential_sums {
    size_t struct_size;
    int32_t add;               ///< 0: sums begin at 0. 1: they are added to the present values
    int32_t projected;         ///< nonzero: product and hessian use projected Hessians
    double value;              ///< always computed
    double (*gradient)[3];     ///< NULL, or vertex_count rows
    const double (*vector)[3]; ///< NULL, or vertex_count rows: what the Hessian is multiplied by …
    double (*product)[3];      ///< … into as many rows
    graze_csr *hessian;        ///< NULL, or a matrix whose pattern has all its entries (graze_csr_make)
} graze_potential_sums;

GRAZE_DEFAULTS(graze_contact_list, graze_default_contact_list, graze_init_contact_list)
GRAZE_DEFAULTS(graze_potential_options, graze_default_potential_options, graze_init_potential_options)
GRAZE_DEFAULTS(graze_csr, graze_default_csr, graze_init_csr)
GRAZE_DEFAULTS(graze_potential_sums, graze_default_potential_sums, graze_init_potential_sums)

/// Turns pairs that graze_proximity found at x into contacts. Nearly parallel edges at x stay a pair of edges; any
/// other pair is replaced by its closest features, and equal contacts are merged.
///
/// @param rest    rest positions: `parallel` is 1e-3 × the product of the squared lengths of the edges there. NULL: no
///                edges count as parallel
/// @param stride  of rest and x; 0: 24
/// @param list    from graze_default_contact_list(); empty on any status but GRAZE_OK
GRAZE_API graze_status graze_contacts_make(graze_context *context, const graze_proximity_pair *pairs, size_t count,
                                           const double (*rest)[3], const double (*x)[3], uint32_t vertex_count,
                                           size_t stride, graze_contact_list *list);
GRAZE_API void graze_contacts_release(graze_context *context, graze_contact_list *list);

/// The barrier of one contact, times stiffness and multiplicity. x holds the rows of its vertices.
///
/// Derivatives are analytic. Where d ≥ 1e-3·d̂ and d̂ ≥ 1e-3 of the size of the contact, value, gradient and Hessian are
/// within 1e-12 of their largest entries, down to angles of a hundredth between the edges of a face or of a pair, and
/// of 1e-4 where `parallel` acts. Fourth powers of the lengths must neither overflow nor underflow.
///
/// @param term  always written; { rows 0, value 0 } on any status but GRAZE_OK
///
/// Does not allocate, lock or log; any number of threads may call it at once. The next three behave alike.
GRAZE_API graze_status graze_contact_term(const graze_contact *contact, const double (*x)[3],
                                          const graze_potential_options *options, graze_order order, graze_term *term);

/// Computes the friction of a contact at rows x: its force is `coefficient` times that of the barrier. The force is 0
/// if the barrier has none, and on any status but GRAZE_OK.
GRAZE_API graze_status graze_friction_make(const graze_contact *contact, const double (*x)[3],
                                           const graze_potential_options *options, double coefficient,
                                           graze_friction *friction);

/// Energy of sliding from x0 to x, both the rows of its vertices. With the sliding distance y and s = `slip` it is
/// force × y for y ≥ s, and force × (y²/s·(1 − y/(3·s)) + s/3) below. Its Hessian has no negative eigenvalue.
GRAZE_API graze_status graze_friction_term(const graze_friction *friction, const double (*x0)[3], const double (*x)[3],
                                           const graze_potential_options *options, graze_order order, graze_term *term);

/// Replaces the negative eigenvalues of a symmetric matrix by 0: n ≤ 12 rows of `stride` doubles.
GRAZE_API graze_status graze_project(double *matrix, int n, size_t stride);

/// Makes the pattern of a Hessian: all coordinates of two vertices of one contact. Values are 0. It may be kept for any
/// list with a subset of these contacts.
///
/// @param csr  from graze_default_csr(); empty on any status but GRAZE_OK
GRAZE_API graze_status graze_csr_make(graze_context *context, const graze_contact *contacts, size_t count,
                                      uint32_t vertex_count, graze_csr *csr);
GRAZE_API void graze_csr_release(graze_context *context, graze_csr *csr);

/// Sums the barriers of a list, on the context's threads. Entries are summed in the order of the list, so bits do not
/// depend on the number of threads.
///
/// @param x     vertex_count positions with the stride of the options
/// @param sums  from graze_default_potential_sums(). On any status but GRAZE_OK its value is 0, and the arrays must not
///              be used. An entry that the pattern lacks is GRAZE_ERR_INVALID_ARGUMENT; the last error names the
///              contact
GRAZE_API graze_status graze_contact_sums(graze_context *context, const graze_contact *contacts, size_t count,
                                          const double (*x)[3], uint32_t vertex_count,
                                          const graze_potential_options *options, graze_potential_sums *sums);

/// As graze_contact_sums, but for friction, from x0 to x.
GRAZE_API graze_status graze_friction_sums(graze_context *context, const graze_friction *frictions, size_t count,
                                           const double (*x0)[3], const double (*x)[3], uint32_t vertex_count,
                                           const graze_potential_options *options, graze_potential_sums *sums);

#ifdef __cplusplus
}
#endif
#endif
