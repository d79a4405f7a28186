#!/bin/sh
# Compiles the facts of arithmetic that every table of kernels has to show (src/numerics/ieee_kernel.h) with flags that break
# the proofs, and sees them fail; and with those flags followed by graze's own, and sees them hold.
# usage: ieee_flags.sh SOURCE_DIR CC OWN_FLAGS [KERNEL_FLAGS…]     KERNEL_FLAGS: name=flags of an instruction set this machine has
set -eu
source=$1 cc=$2 own=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/facts.c" <<'TEXT'
#include "numerics/ieee_kernel.h"
int main(void) { return ieee_kernel() ? 0 : 1; }
TEXT
failed=0 passed=0

# expect 0|1 FLAGS…: how the facts end
expect() {
    wanted=$1
    shift
    # shellcheck disable=SC2086
    if ! "$cc" -std=c11 -w -DGRAZE_ANY_ARITHMETIC -I"$source/src" -I"$source/include" "$@" -c "$work/facts.c" -o "$work/facts.o" 2>"$work/log"; then
        grep -qi 'unrecognized\|unknown\|not supported' "$work/log" && return 0
        cat "$work/log"
        wanted=compiled
    fi
    "$cc" "$work/facts.o" -o "$work/facts" -lm # without the flags: linked with them, some would also set flush-to-zero
    got=0
    "$work/facts" || got=$?
    if [ "$got" = "$wanted" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$*: the facts ended with $got, not $wanted"
    fi
}

for isa in scalar= "$@"; do
    name=$(printf '%s' "${isa%%=*}" | tr a-z A-Z)
    set -- -O2 "-DGZ_SIMD_$name"
    # shellcheck disable=SC2086
    set -- "$@" ${isa#*=}
    expect 0 "$@"
    for bad in -ffast-math -Ofast -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros -ffinite-math-only \
        "-fassociative-math -fno-signed-zeros -fno-trapping-math" "-mfma -ffp-contract=fast" "-mfpmath=387"; do
        case $name:$bad in
        SCALAR:* | AVX2:-m* | AVX512:-mfma*) ;;
        *:-m*) continue ;; # of x86
        esac
        case $name:$bad in AVX*:-mfpmath=387 | AVX*:-ffinite-math-only) continue ;; esac # lanes are not in x87; comparisons are instructions
        # shellcheck disable=SC2086
        expect 1 "$@" $bad
        # shellcheck disable=SC2086
        case $bad in -mfpmath*) ;; *) expect 0 "$@" $bad $own ;; esac
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
