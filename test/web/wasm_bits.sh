#!/bin/sh
# Builds the library with emscripten and compares the hashes of its answers with those of this machine, line by line.
# usage: wasm_bits.sh SOURCE_FOLDER WASM_BUILD_FOLDER NATIVE_TEST_BITS     exit 77 where the tools are not there
set -eu
sh "$1/cmake/wasm.sh" "$1" "$2" test_bits
hashes() { grep -E '[0-9a-f]{16}$'; }
"$3" | hashes >"$2/bits-native.txt"
node "$2/test/test_bits.js" | hashes >"$2/bits-wasm.txt"
[ -s "$2/bits-native.txt" ] || { echo "the native test printed no hashes"; exit 1; }
if ! diff "$2/bits-native.txt" "$2/bits-wasm.txt"; then
    echo "answers differ: < here, > WebAssembly"
    exit 1
fi
echo "the same $(wc -l <"$2/bits-native.txt") hashes here and in WebAssembly:$(tail -n 1 "$2/bits-native.txt")"
