/* A number that remembers how it was computed. The library's own code, compiled with this in the place of double and
   float, leaves a tree of operations for each value; trace.cpp writes them for Coq. */
#ifndef GZ_PROOFS_TRACED_HPP
#define GZ_PROOFS_TRACED_HPP

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace proofs {

enum class op { variable, constant, neg, abs, add, sub, mul, div, sqrt, lost };

struct node {
    op what;
    int a, b;     /* nodes, or the number of a variable in a */
    double value; /* of a constant, or what was computed */
};

/* A comparison that the code made, in the order of time. */
struct decision {
    const char *sign;
    int a, b;
    bool outcome;
};

struct variable {
    double value;
    int size;      /* |value| <= 2^size */
    bool positive; /* never negative */
    bool rounded;  /* stands for an exact value that it differs from by u of it and one underflow */
};

struct trace {
    std::vector<node> nodes = {{op::constant, 0, 0, 0}}; /* what is set to zero without saying so is node 0: 0 */
    std::vector<decision> decisions;
    std::vector<variable> variables;
};
inline trace &now() {
    static trace t;
    return t;
}

inline int add_node(op what, int a = 0, int b = 0, double value = 0) {
    now().nodes.push_back({what, a, b, value});
    return (int)now().nodes.size() - 1;
}

/* T is double or float. */
template <class T> struct number {
    T value;
    int at;
    number() = default;
    template <class A, class = std::enable_if_t<std::is_arithmetic<A>::value>>
    number(A constant) : value((T)constant), at(add_node(op::constant, 0, 0, (double)(T)constant)) {}
    number(T v, int node) : value(v), at(node) {}
    /* Between the formats nothing is followed; what was converted is kept. As for plain numbers, a float becomes a
     * double where one is needed. */
    template <class S, std::enable_if_t<(sizeof(S) < sizeof(T)), int> = 0>
    number(const number<S> &other) : value((T)other.value), at(add_node(op::lost, other.at)) {}
    template <class S, std::enable_if_t<(sizeof(S) > sizeof(T)), int> = 0>
    explicit number(const number<S> &other) : value((T)other.value), at(add_node(op::lost, other.at)) {}

    static number made(op what, T v, int a, int b = 0) { return {v, add_node(what, a, b, (double)v)}; }
    friend number operator+(number a, number b) { return made(op::add, a.value + b.value, a.at, b.at); }
    friend number operator-(number a, number b) { return made(op::sub, a.value - b.value, a.at, b.at); }
    friend number operator*(number a, number b) { return made(op::mul, a.value * b.value, a.at, b.at); }
    friend number operator/(number a, number b) { return made(op::div, a.value / b.value, a.at, b.at); }
    friend number operator-(number a) { return made(op::neg, -a.value, a.at); }
    number &operator+=(number b) { return *this = *this + b; }
    number &operator-=(number b) { return *this = *this - b; }
    number &operator*=(number b) { return *this = *this * b; }
    number &operator/=(number b) { return *this = *this / b; }
    friend number sqrt(number a) { return made(op::sqrt, std::sqrt(a.value), a.at); }
    friend number sqrtf(number a) { return sqrt(a); }
    friend number fabs(number a) { return {std::fabs(a.value), add_node(op::abs, a.at)}; }
    friend number fabsf(number a) { return fabs(a); }

    static bool decide(const char *sign, number a, number b, bool outcome) {
        now().decisions.push_back({sign, a.at, b.at, outcome});
        return outcome;
    }
    friend bool operator<(number a, number b) { return decide("<", a, b, a.value < b.value); }
    friend bool operator>(number a, number b) { return decide(">", a, b, a.value > b.value); }
    friend bool operator<=(number a, number b) { return decide("<=", a, b, a.value <= b.value); }
    friend bool operator>=(number a, number b) { return decide(">=", a, b, a.value >= b.value); }
    friend bool operator==(number a, number b) { return decide("==", a, b, a.value == b.value); }
    friend bool operator!=(number a, number b) { return decide("!=", a, b, a.value != b.value); }

    friend bool isfinite(number a) { return std::isfinite(a.value); }
    friend number nextafter(number a, number b) { return {std::nextafter(a.value, b.value), add_node(op::lost, a.at)}; }
    friend number nextafterf(number a, number b) { return nextafter(a, b); }
    /* rounded as a product with that power of two is */
    friend number ldexp(number a, int exponent) {
        double power = std::ldexp(1.0, exponent);
        bool held = power > 0 && std::isfinite(power) && (double)(T)power == power;
        int factor = add_node(op::constant, 0, 0, power);
        return {(T)std::ldexp(a.value, exponent), held ? add_node(op::mul, factor, a.at) : add_node(op::lost)};
    }
    /* not followed; its operands are kept, the third in the place of the value */
    friend number fma(number a, number b, number c) {
        return {std::fma(a.value, b.value, c.value), add_node(op::lost, a.at, b.at, c.at)};
    }
    friend number fmin(number a, number b) { return b < a ? b : a; }
    friend number fmax(number a, number b) { return b > a ? b : a; }
    explicit operator int() const { return (int)value; }
    friend number frexp(number a, int *exponent) { return {std::frexp(a.value, exponent), add_node(op::lost)}; }
};

template <class T> inline number<T> variable_of(T value, int size, bool positive = false, bool rounded = false) {
    now().variables.push_back({(double)value, size, positive, rounded});
    return {value, add_node(op::variable, (int)now().variables.size() - 1)};
}

/* ---- what Coq reads ---- */

/* "m e" with m odd or 0 */
inline std::string dyadic(double x) {
    int e = 0;
    double m = std::frexp(x, &e);
    long long whole = (long long)std::ldexp(m, 53);
    e -= 53;
    while (whole != 0 && whole % 2 == 0) whole /= 2, e++;
    if (whole == 0) e = 0;
    return "(" + std::to_string(whole) + ") (" + std::to_string(e) + ")";
}

/* A rounded third stands for a third. */
template <class T> inline std::string constant_text(double x) {
    if ((T)x == (T)(1.0 / 3)) return "Near " + dyadic(x) + " (1 # 3)";
    return "Cst " + dyadic(x);
}

template <class T> class writer {
    FILE *out;
    std::string module;
    std::map<int, bool> written;
    std::map<int, std::string> inputs; /* nodes that are inputs by now */
    std::string name(int at) { return inputs.count(at) ? inputs[at] : "n" + std::to_string(at); }

  public:
    writer(FILE *file, const char *name) : out(file), module(name) { fprintf(out, "Module %s.\n", name); }

    void tree(int at) {
        if (written[at]) return;
        written[at] = true;
        const node n = now().nodes[(size_t)at];
        static const char *const words[] = {"Var", "", "Neg", "Abs", "Add", "Sub", "Mul", "Div", "Sqrt"};
        bool one = n.what == op::neg || n.what == op::abs || n.what == op::sqrt;
        bool two = n.what == op::add || n.what == op::sub || n.what == op::mul || n.what == op::div;
        if (one || two) tree(n.a);
        if (two) tree(n.b);
        std::string text;
        if (n.what == op::constant)
            text = constant_text<T>(n.value);
        else if (n.what == op::variable)
            text = "Var " + std::to_string(n.a);
        else if (n.what == op::lost)
            text = "an_operation_that_is_not_followed";
        else
            text = std::string(words[(int)n.what]) + " " + name(n.a) + (two ? " " + name(n.b) : "");
        fprintf(out, "Definition %s := %s.\n", name(at).c_str(), text.c_str());
    }

    /* From here on the value at this node is an input of its own: what it was made of is left out. With `negative` the
       input is its opposite. Trees that were written before keep what they have. */
    void input(int at, int size, bool positive, bool negative = false) {
        now().variables.push_back({0, size, positive, false});
        std::string number = std::to_string(now().variables.size() - 1), variable = "Var " + number;
        inputs[at] = "input_" + number;
        fprintf(out, "Definition %s := %s.\n", name(at).c_str(),
                (negative ? "Neg (" + variable + ")" : variable).c_str());
        written[at] = true;
    }

    /* What was computed at this node, as a constant: the code has no inputs up to there. */
    void computed(int at) {
        if (written[at]) return;
        fprintf(out, "Definition %s := Cst %s.\n", name(at).c_str(), dyadic(now().nodes[(size_t)at].value).c_str());
        written[at] = true;
    }

    void value(const char *as, int at) {
        tree(at);
        fprintf(out, "Definition %s : expr := %s.\n", as, name(at).c_str());
    }

    void text(const std::string &line) { fprintf(out, "%s\n", line.c_str()); }
    void constant(const char *as, double x) {
        fprintf(out, "Definition %s : expr := Cst %s.\n", as, dyadic(x).c_str());
    }

    ~writer() {
        fprintf(out, "Definition variables : list given_variable := (");
        for (const variable &v : now().variables)
            fprintf(out, "given_as (%d) %s %s :: ", v.size, v.positive ? "true" : "false",
                    v.rounded ? "true" : "false");
        fprintf(out, "nil).\nEnd %s.\n\n", module.c_str());
    }
};

} // namespace proofs

#endif
