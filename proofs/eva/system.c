/* What the checker calls and Eva has no code of. */
#include "__fc_builtin.h"
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
int vsnprintf(char *to, size_t size, const char *format, va_list list) {
    (void)format, (void)list;
    Frama_C_make_unknown(to, size);
    to[size - 1] = '\0';
    return Frama_C_interval(0, 2147483647);
}
/* Any order, and every pair compared. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *bytes = base, one[256], other[256];
    if (count == 0) return;
    for (size_t k = 0; k < count; k++) {
        size_t i = Frama_C_unsigned_long_interval(0, count - 1), j = Frama_C_unsigned_long_interval(0, count - 1);
        compare(bytes + i * size, bytes + j * size);
        memcpy(one, bytes + i * size, size);
        memcpy(other, bytes + j * size, size);
        memcpy(bytes + i * size, other, size);
        memcpy(bytes + j * size, one, size);
    }
}
/* As the standard says for finite numbers. */
double frexp(double x, int *exponent) {
    *exponent = Frama_C_interval(-1073, 1024);
    if (x == 0) *exponent = 0;
    return x == 0 ? x : Frama_C_double_interval(-1, 1);
}
double ldexp(double x, int exponent) {
    (void)exponent; /* of fractions, by 53 */
    return x * 0x1p53;
}
