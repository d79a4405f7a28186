#!/bin/sh
# A viewer that could not be built is tried again by the next build, one that could is not; a program carries what there is.
# usage: viewer_build.sh SOURCE_FOLDER CC
set -eu
source=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "failed: $*"; exit 1; }
mkdir -p "$work/web" "$work/cmake"
cp "$source/web/CMakeLists.txt" "$source/web/build.cmake" "$source/web/viewer.h" "$work/web/"
cp "$source/cmake/embed.cmake" "$work/cmake/"
cd "$work"
mkdir -p web/package
for file in web/index.html web/formulas.mjs web/highlight.mjs web/policy.mjs web/vite.config.mjs web/package-lock.json web/package/package.in.json web/package/version.mjs cmake/wasm.sh; do
    : >"$file"
done
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.21)
project(viewer C)
set(GRAZE_WEB ON)
add_library(graze_settings INTERFACE)
add_subdirectory(web)
file(WRITE ${CMAKE_BINARY_DIR}/main.c "#include \"web/viewer.h\"\n#include <stdio.h>\nint main(void) { return puts(web_viewer) < 0; }\n")
add_executable(main ${CMAKE_BINARY_DIR}/main.c)
target_link_libraries(main graze_viewer)
TEXT
# stands for the real one: notes that it ran, and works where the file `tools` is
cat >web/build.sh <<'TEXT'
echo run >>"$1/runs"
[ -e "$1/tools" ] || { echo "no tools"; exit 1; }
mkdir -p "$3" && echo "page $(cat "$1/tools")" >"$3/index.html"
TEXT
build() { cmake --build out >log 2>&1 || { cat log; fail "the build ended with an error"; }; }
runs() { [ "$(wc -l <runs)" -eq "$1" ] || fail "build.sh ran $(wc -l <runs) times, not $1: $2"; }
cmake -S . -B out "-DCMAKE_C_COMPILER=$cc" >log 2>&1 || { cat log; fail "configure"; }
build
grep -q "no viewer in the program: no tools" log || fail "a failure is not told"
[ -z "$(out/main)" ] || fail "there is a page without tools"
build
runs 2 "after a failure"
echo one >tools
build
[ "$(out/main)" = "page one" ] || fail "the page is not in the program once the tools are there"
build
runs 3 "after success it is done"
echo two >tools
echo >>web/build.sh
build
[ "$(out/main)" = "page two" ] || fail "a change is not built"
rm tools
echo >>web/build.sh
build
[ -z "$(out/main)" ] || fail "a page of an older build is in the program after a failure"
build
runs 6 "after a failure that follows success"
echo "1 passed, 0 failed"
