/* Facts of IEEE arithmetic in lanes of doubles or floats, each of which some flag of a compiler, or some mode of the
   machine, makes false. docs/numerics.md, section 1, derives them. */

/* x in every lane, from where no compiler can know it. Through a register, not a volatile: clang 14 for WebAssembly
   loads lanes from a place on the stack after later stores to it. */
static GZ_INLINE v_real V(ieee_given)(v_element x) {
    V(ieee_bits) bits;
    memcpy(&bits, &x, sizeof bits);
    __asm__ volatile("" : "+r"(bits));
    memcpy(&x, &bits, sizeof x);
    return v_set1(x);
}

static GZ_INLINE bool V(ieee_is)(v_real x, v_element expected) {
    v_element lanes[v_width];
    bool same = true;
    v_store(lanes, x);
    for (int i = 0; i < (int)v_width; i++) same &= memcmp(&lanes[i], &expected, sizeof expected) == 0;
    return same;
}

/* Two times the largest number is infinite, though half of that would be in range: no register is wider. */
static bool V(ieee_rounds)(v_element eps, v_element largest) {
    v_real one = V(ieee_given)(1), minus = V(ieee_given)(-1), two = V(ieee_given)(2);
    v_real half = V(ieee_given)(eps / 2), more = V(ieee_given)(3 * (eps / 4)), quarter = V(ieee_given)(eps / 4);
    return V(ieee_is)(v_add(one, half), 1) && V(ieee_is)(v_add(one, more), 1 + eps) &&
           V(ieee_is)(v_sub(minus, half), -1) && V(ieee_is)(v_sub(minus, more), -1 - eps) &&
           V(ieee_is)(v_sub(v_add(one, quarter), one), 0) &&
           V(ieee_is)(v_mul(v_mul(V(ieee_given)(largest), two), v_set1((v_element)0.5)), (v_element)INFINITY);
}

/* (1 + ε)² is 1 + 2ε + ε², of which the last is rounded away; a fused operation keeps it. */
static GZ_INLINE v_real V(ieee_square)(v_element eps) {
    return v_mul(V(ieee_given)(1 + eps),
                 V(ieee_given)(1 + eps)); /* anew each time: of a shared product none is fused */
}
static bool V(ieee_does_not_fuse)(v_element eps) {
    v_real square = V(ieee_given)(1 + 2 * eps), minus = V(ieee_given)(-1 - 2 * eps);
    return V(ieee_is)(v_sub(V(ieee_square)(eps), square), 0) && V(ieee_is)(v_sub(square, V(ieee_square)(eps)), 0) &&
           V(ieee_is)(v_add(V(ieee_square)(eps), minus), 0);
}

/* The error of 1 + ε/4, as a double-double takes it; and a sum of four from the left. */
static bool V(ieee_keeps_order)(v_element eps) {
    v_real a = V(ieee_given)(1), b = V(ieee_given)(eps / 4), large = V(ieee_given)(1 / eps * 2);
    v_real sum = v_add(a, b), part = v_sub(sum, a);
    v_real error = v_add(v_sub(a, v_sub(sum, part)), v_sub(b, part));
    return V(ieee_is)(error, eps / 4) && V(ieee_is)(v_sub(v_add(v_add(large, a), a), large), 0);
}

/* d · (1/d), rounded twice, is not 1. */
static bool V(ieee_divides)(v_element d) {
    v_real by = V(ieee_given)(d);
    return V(ieee_is)(v_div(V(ieee_given)(d), by), 1) && V(ieee_is)(v_div(V(ieee_given)(3 * d), by), 3) &&
           V(ieee_is)(v_div(V(ieee_given)(5 * d), by), 5) && V(ieee_is)(v_div(V(ieee_given)(d), v_set1(d)), 1);
}

static bool V(ieee_has_two_zeros)(void) {
    v_real minus_zero = V(ieee_given)(-(v_element)0), zero = V(ieee_given)(0), none = v_set1(0);
    return V(ieee_is)(minus_zero, -(v_element)0) && V(ieee_is)(v_add(minus_zero, none), 0) &&
           V(ieee_is)(v_sub(none, zero), 0) && V(ieee_is)(v_mul(minus_zero, V(ieee_given)(2)), -(v_element)0);
}

static bool V(ieee_underflows_gradually)(v_element eps, v_element least) {
    v_real x = V(ieee_given)(least), tiny = V(ieee_given)(eps * least), up = V(ieee_given)(1 / eps);
    return V(ieee_is)(v_mul(x, v_set1((v_element)0.5)), least / 2) && V(ieee_is)(v_mul(tiny, up), least) &&
           V(ieee_is)(v_sub(V(ieee_given)(3 * (least / 2)), x), least / 2);
}

static bool V(ieee_knows_infinity_and_nan)(v_element infinity, v_element not_a_number) {
    v_real nan = V(ieee_given)(not_a_number), inf = V(ieee_given)(infinity), one = V(ieee_given)(1);
    return !m_bits(v_lt(nan, one)) && !m_bits(v_le(one, nan)) && !m_bits(v_eq(nan, nan)) &&
           !m_bits(v_eq(v_sub(inf, inf), v_sub(inf, inf))) && V(ieee_is)(v_min(nan, one), 1) &&
           V(ieee_is)(v_div(one, inf), 0);
}

/* √2 rounded, and its square rounded. */
static bool V(ieee_takes_roots)(v_element root, v_element square) {
    v_real s = v_sqrt(V(ieee_given)(2));
    return V(ieee_is)(s, root) && V(ieee_is)(v_mul(s, s), square);
}
