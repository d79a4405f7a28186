#!/bin/sh
# Builds targets with emscripten. Says nothing but what went wrong.
# usage: wasm.sh SOURCE_FOLDER BUILD_FOLDER [TARGET…]     exit 77 where the tools are not there
set -eu
source=$1 folder=$2
shift 2
for tool in emcc node; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "skipped: there is no $tool"
        exit 77
    fi
done
# the compiler cache of the native build knows nothing of emcc, and the toolchain's own emulator flags are out of date
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
mkdir -p "$folder"
log=$folder/last-build.log
targets=
[ $# -eq 0 ] || targets="--target $*"
# shellcheck disable=SC2086
if ! { emcmake cmake -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DGRAZE_WERROR=ON -DGRAZE_PROGRAM=OFF \
    -DGRAZE_OPENMP=OFF "-DCMAKE_CROSSCOMPILING_EMULATOR=$(command -v node)" &&
    cmake --build "$folder" -j 2 $targets; } >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "the build for WebAssembly failed"
    exit 1
fi
