#!/bin/sh
# Installs into an empty folder and builds the README's example against it: by pkg-config as C and as C++, with the
# archive, by the CMake package, and as a part of another project.   usage: run.sh SOURCE_DIR BUILD_DIR CC
set -eu
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# the first C block of the README
awk '/^```c$/ && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' "$source/README.md" >"$work/example.c"
lines=$(grep -c . "$work/example.c")
[ "$lines" -ge 8 ] || { echo "no example found in README.md"; exit 1; }

expect() { # runs the program named $1: the vertex meets the triangle at t = 1/2 exactly, so toi must be at or just below
    "$1" >"$work/out" || { echo "$1 failed:"; cat "$work/out"; exit 1; }
    awk '{t = $NF; if ($1 != "hit:" || t > 0.5 || t < 0.4999) {print "unexpected: " $0; exit 1}}' "$work/out"
}

pc=$(find "$work/prefix" -name graze.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir graze)
flags=$(pkg-config --cflags --libs graze)
# shellcheck disable=SC2086
"$cc" -std=c11 -pedantic -Wall -Wextra -Werror -o "$work/by_pkg_config" "$work/example.c" $flags
LD_LIBRARY_PATH=$libdir expect "$work/by_pkg_config"

if command -v c++ >/dev/null 2>&1; then
    cp "$work/example.c" "$work/example.cpp"
    # shellcheck disable=SC2086
    c++ -std=c++11 -pedantic -Wall -Wextra -Werror -o "$work/as_cpp" "$work/example.cpp" $flags
    LD_LIBRARY_PATH=$libdir expect "$work/as_cpp"
else
    echo "no C++ compiler: that part is left out"
fi

# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 -o "$work/static" "$work/example.c" $(pkg-config --cflags graze) "$libdir/libgraze.a" \
    $(sed -n 's/^Libs.private: //p' "$pc")
expect "$work/static"

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.21)
project(example C)
find_package(graze REQUIRED)
add_executable(shared $work/example.c)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(archive $work/example.c)
target_link_libraries(archive PRIVATE graze::graze_static)
TEXT
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 &&
    cmake --build "$work/project/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
expect "$work/project/build/shared"
expect "$work/project/build/archive"

# as a part of another project: the same two names, the library alone, and the parent's settings left as they are
mkdir "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.21)
project(parent C)
add_subdirectory($source graze)
foreach(target graze_program graze_check)
  if(TARGET \${target})
    message(FATAL_ERROR "\${target} is part of another project's build")
  endif()
endforeach()
if(CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "the parent's build type is set: \${CMAKE_BUILD_TYPE}")
endif()
add_executable(shared $work/example.c)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(archive $work/example.c)
target_link_libraries(archive PRIVATE graze::graze_static)
TEXT
cmake -S "$work/parent" -B "$work/parent/build" -DCMAKE_C_COMPILER="$cc" -DGRAZE_SIMD=OFF >"$work/log" 2>&1 &&
    cmake --build "$work/parent/build" -j 2 >>"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
expect "$work/parent/build/shared"
expect "$work/parent/build/archive"
echo "1 passed, 0 failed"
