#!/bin/sh
# Builds the library in many ways. With flags that a user may give, every answer must have the bits of test/bits.txt; with
# flags that break the proofs and graze's own left out, the self-test must refuse every call.
# usage: builds.sh SOURCE_DIR FOLDER [NAME…]     all without names; --list prints them, --compilers [NAME…] what
# compilers they take besides cc
# A build whose compiler or instructions are not there is skipped, and the last line counts it; where all are, it ends with 77.
set -eu
source=$1 folder=$2
shift 2
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# name, compiler, build type, flags
good="
quick|cc|None|-O1 -ffast-math -march=native
native|cc|Release|-march=native
v4|cc|Release|-march=x86-64-v4
O0|cc|None|-O0
O1|cc|None|-O1
O2|cc|None|-O2
O3|cc|None|-O3
Ofast|cc|None|-Ofast
lto|cc|None|-O2 -flto
fast-math|cc|Release|-ffast-math
fast-native|cc|None|-Ofast -march=native
unsafe|cc|Release|-funsafe-math-optimizations
clang|clang|Release|
clang-fast|clang|None|-Ofast -march=native
clang-16|clang-16|Release|
clang-19|clang-19|Release|
gcc-11|gcc-11|Release|
gcc-11-native|gcc-11|Release|-march=native
"
bad="
refused-quick|cc|None|-O1 -funsafe-math-optimizations
refused-fast-math|cc|Release|-ffast-math
refused-unsafe|cc|None|-O2 -funsafe-math-optimizations
refused-associative|cc|None|-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
refused-reciprocal|cc|None|-O2 -freciprocal-math
refused-zeros|cc|None|-O2 -fno-signed-zeros
refused-contraction|cc|None|-O2 -mfma -ffp-contract=fast
refused-clang|clang|None|-O2 -ffast-math
"

names() { printf '%s%s' "$good" "$bad" | sed -n 's/|.*//p'; }
if [ "${1:-}" = --list ]; then
    names
    exit 0
fi
compilers_only=no
case ${1:-} in --compilers) compilers_only=yes; shift ;; esac
[ $# -gt 0 ] || set -- $(names)
row() { printf '%s%s' "$good" "$bad" | grep "^$1|"; }
if [ $compilers_only = yes ]; then
    for name; do row "$name" | cut -d'|' -f2; done | grep -vx cc | sort -u
    exit 0
fi

can_run() { # false where this processor lacks what the flags ask for
    case $1 in *x86-64-v4* | *-mfma*) ;; *) return 0 ;; esac
    "$2" $1 -x c - -o "$folder/runs" 2>/dev/null <<'TEXT' && "$folder/runs"
int main(void) {
    __builtin_cpu_init();
#ifdef __AVX512F__
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) return 1;
#endif
    return __builtin_cpu_supports("fma") ? 0 : 1;
}
TEXT
}

build() { # FOLDER COMPILER TYPE FLAGS TARGETS OPTIONS…
    to=$1 cc=$2 type=$3 flags=$4 targets=$5
    shift 5
    cmake -S "$source" -B "$to" -DGRAZE_PROGRAM=OFF "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_BUILD_TYPE=$type" \
        "-DCMAKE_C_FLAGS=$flags" "$@" >"$to.log" 2>&1 || return 1
    # shellcheck disable=SC2086
    cmake --build "$to" -j "$jobs" --target $targets >>"$to.log" 2>&1
}

# A library must not set the modes of a process that loads it.
sets_no_modes() {
    readelf -sW "$1" 2>/dev/null | grep -q 'set_fast_math' && return 1
    return 0
}

one() { # NAME
    line=$(row "$1") || { echo "$1: there is no such build"; return 1; }
    compiler=$(echo "$line" | cut -d'|' -f2) type=$(echo "$line" | cut -d'|' -f3) flags=$(echo "$line" | cut -d'|' -f4)
    to=$folder/$1
    mkdir -p "$folder"
    command -v "$compiler" >/dev/null 2>&1 || { echo "$1: SKIPPED, there is no $compiler"; return 77; }
    can_run "$flags" "$compiler" || { echo "$1: SKIPPED, this processor lacks an instruction"; return 77; }
    case $1 in
    refused-*)
        build "$to" "$compiler" "$type" "$flags" test_self_test -DGRAZE_IEEE_FLAGS=OFF || { tail -n 20 "$to.log"; return 1; }
        "$to/test/test_self_test" --refuses || { echo "$1: answers, where the self-test should have refused"; return 1; }
        echo "$1: refused"
        ;;
    *)
        build "$to" "$compiler" "$type" "$flags" "graze_shared test_bits test_result test_self_test" ||
            { tail -n 20 "$to.log"; return 1; }
        for test in bits result self_test; do
            "$to/test/test_$test" >"$to.out" 2>&1 || { grep -v answers "$to.out"; echo "$1: test_$test fails"; return 1; }
        done
        sets_no_modes "$to/libgraze.so" || { echo "$1: the library sets flush-to-zero for its process"; return 1; }
        echo "$1: the bits of test/bits.txt"
        ;;
    esac
}

built=0 skipped=0 failed=0
for name in "$@"; do
    status=0
    one "$name" || status=$?
    case $status in
    0) built=$((built + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    rm -rf "${folder:?}/$name"
done
echo "$built builds as they should be, $skipped skipped, $failed failed"
[ $failed = 0 ] || exit 1
[ $built -gt 0 ] || exit 77
