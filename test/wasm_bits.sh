#!/bin/sh
# Builds the library with emscripten and compares the hashes of its answers with those of this machine, line by line.
# usage: wasm_bits.sh SOURCE_FOLDER WASM_BUILD_FOLDER NATIVE_TEST_BITS     exit 77 where the tools are not there
set -eu
for tool in emcc node; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "skipped: there is no $tool"
        exit 77
    fi
done
# the compiler cache of the native build knows nothing of emcc, and the toolchain's own emulator flags are out of date
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
mkdir -p "$2"
log=$2/last-build.log
if ! { emcmake cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release -DGRAZE_WERROR=ON -DGRAZE_PROGRAM=OFF \
    -DGRAZE_OPENMP=OFF "-DCMAKE_CROSSCOMPILING_EMULATOR=$(command -v node)" &&
    cmake --build "$2" --target test_bits; } >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "the build for WebAssembly failed"
    exit 1
fi
hashes() { grep -E '[0-9a-f]{16}$'; }
"$3" | hashes >"$2/bits-native.txt"
node "$2/test/test_bits.js" | hashes >"$2/bits-wasm.txt"
[ -s "$2/bits-native.txt" ] || { echo "the native test printed no hashes"; exit 1; }
if ! diff "$2/bits-native.txt" "$2/bits-wasm.txt"; then
    echo "answers differ: < here, > WebAssembly"
    exit 1
fi
echo "the same $(wc -l <"$2/bits-native.txt") hashes here and in WebAssembly:$(tail -n 1 "$2/bits-native.txt")"
