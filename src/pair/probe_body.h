/* One probe of the directional certificates, in lanes: a direction from the closest points at time t, and how far in
   time it proves the pair apart. probe.h includes it twice, for double and for float.

   A pair is its differences w_k = b_j - a_i at both ends of the step. What a direction proves is docs/numerics.md,
   section 4. */
typedef struct v_vec {
    v_real x, y, z;
} v_vec;

static GZ_INLINE v_vec vec_add(v_vec a, v_vec b) { return (v_vec){v_add(a.x, b.x), v_add(a.y, b.y), v_add(a.z, b.z)}; }
static GZ_INLINE v_vec vec_sub(v_vec a, v_vec b) { return (v_vec){v_sub(a.x, b.x), v_sub(a.y, b.y), v_sub(a.z, b.z)}; }
static GZ_INLINE v_vec vec_scale(v_vec a, v_real s) { return (v_vec){v_mul(a.x, s), v_mul(a.y, s), v_mul(a.z, s)}; }
static GZ_INLINE v_real vec_dot(v_vec a, v_vec b) {
    return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z));
}
static GZ_INLINE v_vec vec_cross(v_vec a, v_vec b) {
    return (v_vec){v_sub(v_mul(a.y, b.z), v_mul(a.z, b.y)), v_sub(v_mul(a.z, b.x), v_mul(a.x, b.z)),
                   v_sub(v_mul(a.x, b.y), v_mul(a.y, b.x))};
}
static GZ_INLINE v_vec vec_select(v_mask m, v_vec a, v_vec b) {
    return (v_vec){v_select(m, a.x, b.x), v_select(m, a.y, b.y), v_select(m, a.z, b.z)};
}
static GZ_INLINE v_vec vec_abs(v_vec a) { return (v_vec){v_abs(a.x), v_abs(a.y), v_abs(a.z)}; }
static GZ_INLINE v_vec vec_max_abs(v_vec a, v_vec b) {
    return (v_vec){v_max_abs(a.x, b.x), v_max_abs(a.y, b.y), v_max_abs(a.z, b.z)};
}

/* One row for each of the first lanes. */
static GZ_INLINE void vec_store(v_vec a, double (*out)[3], size_t lanes) {
    v_element x[v_width], y[v_width], z[v_width];
    v_store(x, a.x);
    v_store(y, a.y);
    v_store(z, a.z);
    for (size_t i = 0; i < lanes; i++) {
        out[i][0] = x[i];
        out[i][1] = y[i];
        out[i][2] = z[i];
    }
}

/* a / b into [0, 1]; b >= 0. Never NaN for finite a: directions must stay finite, whatever they are worth. */
static GZ_INLINE v_real v_ratio01(v_real a, v_real b) {
    v_real q = v_div(a, v_max(b, v_set1(V_CONSTANT(GZ_LEAST_DIVISOR))));
    return v_min(v_max(q, v_set1(0)), v_set1(1));
}

/* N or -N, whichever points along w */
static GZ_INLINE v_vec vec_along(v_vec n, v_vec w) {
    v_real sign = v_select(v_lt(vec_dot(n, w), v_set1(0)), v_set1(-1), v_set1(1));
    return vec_scale(n, sign);
}

/* The point of a triangle closest to the origin, or the triangle's normal where that point is inside. */
static GZ_INLINE v_vec triangle_direction(const v_vec w[3]) {
    v_real zero = v_set1(0);
    v_vec e1 = vec_sub(w[1], w[0]), e2 = vec_sub(w[2], w[0]), e3 = vec_sub(w[2], w[1]);
    v_real a11 = vec_dot(e1, e1), a22 = vec_dot(e2, e2), a12 = vec_dot(e1, e2);
    v_real c1 = v_sub(zero, vec_dot(e1, w[0])), c2 = v_sub(zero, vec_dot(e2, w[0]));
    v_real det = v_sub(v_mul(a11, a22), v_mul(a12, a12));
    v_real u = v_sub(v_mul(c1, a22), v_mul(c2, a12)), v = v_sub(v_mul(c2, a11), v_mul(c1, a12));
    v_mask inside = m_and(m_and(v_le(zero, u), v_le(zero, v)), v_lt(v_add(u, v), det));

    v_vec p1 = vec_add(w[0], vec_scale(e1, v_ratio01(c1, a11)));
    v_vec p2 = vec_add(w[0], vec_scale(e2, v_ratio01(c2, a22)));
    v_real a33 = vec_dot(e3, e3), c3 = v_sub(zero, vec_dot(e3, w[1]));
    v_vec p3 = vec_add(w[1], vec_scale(e3, v_ratio01(c3, a33)));
    v_real l1 = vec_dot(p1, p1), l2 = vec_dot(p2, p2), l3 = vec_dot(p3, p3);
    v_mask second = v_lt(l2, l1);
    v_vec p = vec_select(second, p2, p1);
    p = vec_select(v_lt(l3, v_select(second, l2, l1)), p3, p);
    v_vec n = vec_cross(e1, e2);
    return vec_select(inside, vec_along(n, w[0]), p);
}

/* The vector between the closest points of two segments; where both are inside and close, the edges' cross product,
   which rounding spoils less. */
static GZ_INLINE v_vec segments_direction(const v_vec w[4]) {
    v_real zero = v_set1(0), one = v_set1(1);
    v_vec d1 = vec_sub(w[0], w[2]), d2 = vec_sub(w[1], w[0]);
    v_real a = vec_dot(d1, d1), e = vec_dot(d2, d2), b = vec_dot(d1, d2);
    v_real c = vec_dot(d1, w[0]), f = vec_dot(d2, w[0]);
    v_real det = v_sub(v_mul(a, e), v_mul(b, b));
    v_real s = v_ratio01(v_sub(v_mul(c, e), v_mul(f, b)), det);
    v_real r = v_ratio01(v_sub(v_mul(s, b), f), e);
    s = v_ratio01(v_add(c, v_mul(r, b)), a);
    v_vec n = vec_sub(vec_add(w[0], vec_scale(d2, r)), vec_scale(d1, s));
    v_mask inside = m_and(m_and(v_lt(zero, s), v_lt(s, one)), m_and(v_lt(zero, r), v_lt(r, one)));
    v_mask close = v_lt(v_mul(vec_dot(n, n), v_set1(V_CONSTANT(GZ_CLOSE_RATIO))), v_max(a, e));
    return vec_select(m_and(inside, close), vec_along(vec_cross(d1, d2), w[0]), n);
}

static GZ_INLINE v_vec segment_direction(const v_vec w[2]) {
    v_vec e = vec_sub(w[1], w[0]);
    v_real s = v_ratio01(v_sub(v_set1(0), vec_dot(e, w[0])), vec_dot(e, e));
    return vec_add(w[0], vec_scale(e, s));
}

/* `count` is a constant at every call, so that one of these is compiled in. */
static GZ_INLINE v_vec probe_direction(const v_vec *w, int count) {
    return count == 3   ? triangle_direction(w)
           : count == 4 ? segments_direction(w)
           : count == 2 ? segment_direction(w)
                        : w[0];
}

static GZ_INLINE void probe_at(const v_vec *w0, const v_vec *w1, int count, v_real t, v_vec *w) {
    for (int k = 0; k < count; k++) w[k] = vec_add(w0[k], vec_scale(vec_sub(w1[k], w0[k]), t));
}

/* The largest |component| of any difference at either end. */
static GZ_INLINE v_vec probe_size(const v_vec *w0, const v_vec *w1, int count) {
    v_vec m = vec_max_abs(w0[0], w1[0]);
    for (int k = 1; k < count; k++) m = vec_max_abs(m, vec_max_abs(w0[k], w1[k]));
    return m;
}

/* The most that rounding can take from a dot product with n. */
static GZ_INLINE v_real probe_slack(v_vec size, v_vec n) {
    return v_add(v_mul(vec_dot(vec_abs(n), size), v_set1(V_CONSTANT(GZ_DOT_SLACK))), v_set1(V_CONSTANT(GZ_DOT_TINY)));
}
static GZ_INLINE v_real probe_norm(v_vec n) { return v_sqrt(v_add(vec_dot(n, n), v_set1(V_CONSTANT(GZ_NORM_TINY)))); }

/* The last time, from t on, at which every difference is beyond its `least` along n. `step` is a constant at every
   call: 0, one for all, or 1, one for each. */
static GZ_INLINE v_real probe_last_of(const v_vec *w0, const v_vec *w1, int count, v_vec n, v_real t,
                                      const v_real *least, int step) {
    v_real zero = v_set1(0), one = v_set1(1);
    v_real a[4], z[4];
    v_mask starts[4], ends[4], all_start = v_eq(zero, zero), all_end = all_start;
    for (int k = 0; k < count; k++) {
        a[k] = v_sub(vec_dot(n, w0[k]), least[k * step]);
        z[k] = v_sub(vec_dot(n, w1[k]), least[k * step]);
        starts[k] = v_lt(zero, a[k]);
        ends[k] = v_lt(zero, z[k]);
        all_start = m_and(all_start, starts[k]);
        all_end = m_and(all_end, ends[k]);
    }
    if (m_bits(m_and(all_start, all_end)) == V_ALL_LANES) return one;
    v_real last = one, first = zero;
    for (int k = 0; k < count; k++) {
        /* where exactly one of a, z is positive, the root of the linear piece lies in [0, 1] */
        v_real root = v_div(a[k], v_sub(a[k], z[k]));
        last = v_min(last, v_select(ends[k], one, v_select(starts[k], root, zero)));
        first = v_max(first, v_select(starts[k], zero, v_select(ends[k], root, v_set1(2))));
    }
    last =
        v_select(all_end, one, v_sub(v_mul(last, v_set1(V_CONSTANT(GZ_ROOT_DOWN))), v_set1(V_CONSTANT(GZ_ROOT_TINY))));
    first = v_select(all_start, zero,
                     v_add(v_mul(first, v_set1(V_CONSTANT(GZ_ROOT_UP))), v_set1(V_CONSTANT(GZ_ROOT_TINY))));
    return v_select(m_and(v_le(first, t), v_lt(t, last)), last, t);
}

static GZ_INLINE v_real probe_last(const v_vec *w0, const v_vec *w1, int count, v_vec n, v_real t, v_real least) {
    return probe_last_of(w0, w1, count, n, t, &least, 0);
}

/* Given that the pair is apart on [0, t], or t = 0: the time up to which direction n proves it apart, or t itself when
   n proves nothing more. */
static GZ_INLINE v_real probe_advance(const v_vec *w0, const v_vec *w1, int count, v_vec size, v_vec n, v_real t,
                                      v_element separation) {
    v_real least = probe_slack(size, n);
    if (separation > 0)
        least = v_add(v_mul(v_mul(v_set1(separation), probe_norm(n)), v_set1(V_CONSTANT(GZ_NORM_UP))), least);
    return probe_last(w0, w1, count, n, t, least);
}

/* As probe_advance, but each difference has a distance of its own that counts as contact. */
static GZ_INLINE v_real probe_advance_thick(const v_vec *w0, const v_vec *w1, int count, v_vec size, v_vec n, v_real t,
                                            const v_real *reach) {
    v_real slack = probe_slack(size, n), norm = probe_norm(n), least[4];
    for (int k = 0; k < count; k++)
        least[k] = v_add(v_mul(v_mul(reach[k], norm), v_set1(V_CONSTANT(GZ_NORM_UP))), slack);
    return probe_last_of(w0, w1, count, n, t, least, 1);
}
