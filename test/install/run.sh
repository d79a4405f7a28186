#!/bin/sh
# Installs into an empty folder and builds the README's example against it: by pkg-config as C and as C++, with the
# archive, and from C and from C++ by the CMake package and as a part of another project.
# usage: run.sh SOURCE_DIR BUILD_DIR CC
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
    echo "skipped: no C++ compiler"
fi

# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 -o "$work/static" "$work/example.c" $(pkg-config --cflags graze) "$libdir/libgraze.a" \
    $(sed -n 's/^Libs.private: //p' "$pc")
expect "$work/static"

# the library of robots, where it was built: by pkg-config, and by the CMake package with both kinds
if [ -e "$(dirname "$pc")/graze-robot.pc" ]; then
    mkdir -p "$work/robot"
    cat >"$work/robot/robot.c" <<'TEXT'
#include <graze/robot.h>
#include <stdio.h>
int main(int argc, char **argv) {
    graze_robot *robot;
    graze_robot_error error;
    if (argc < 2 || graze_robot_load(argv[1], NULL, &robot, &error) != GRAZE_OK) return 1;
    puts(robot->link_names[0]);
    graze_robot_free(robot);
    return 0;
}
TEXT
    echo '<robot name="r"><link name="base"/></robot>' >"$work/robot/r.urdf"
    cat >"$work/robot/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.21)
project(robot C)
find_package(graze REQUIRED)
add_executable(shared robot.c)
target_link_libraries(shared PRIVATE graze::robot)
add_executable(archive robot.c)
target_link_libraries(archive PRIVATE graze::robot_static)
TEXT
    # shellcheck disable=SC2046
    "$cc" -std=c11 -pedantic -Wall -Wextra -Werror -o "$work/robot/by_pkg_config" "$work/robot/robot.c" $(pkg-config --cflags --libs graze-robot)
    cmake -S "$work/robot" -B "$work/robot/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 &&
        cmake --build "$work/robot/build" >>"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
    for program in by_pkg_config build/shared build/archive; do
        [ "$(LD_LIBRARY_PATH=$libdir "$work/robot/$program" "$work/robot/r.urdf")" = base ] || { echo "robot: $program failed"; exit 1; }
    done
fi

# consumers LANGUAGE SOURCE: the CMake package, and graze as a part of another project (FetchContent); both libraries
consumers() {
    language=$1 program=$2 folder=$work/$1
    mkdir -p "$folder/package" "$folder/part"
    cat >"$folder/package/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.21)
project(example $language)
find_package(graze REQUIRED)
add_executable(shared $program)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(archive $program)
target_link_libraries(archive PRIVATE graze::graze_static)
TEXT
    # the same two names, the library alone, and the parent's settings left as they are
    cat >"$folder/part/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.21)
project(parent $language)
include(FetchContent)
FetchContent_Declare(graze SOURCE_DIR $source)
FetchContent_MakeAvailable(graze)
foreach(target graze_program graze_check)
  if(TARGET \${target})
    message(FATAL_ERROR "\${target} is part of another project's build")
  endif()
endforeach()
if(CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "the parent's build type is set: \${CMAKE_BUILD_TYPE}")
endif()
add_executable(shared $program)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(archive $program)
target_link_libraries(archive PRIVATE graze::graze_static)
TEXT
    cmake -S "$folder/package" -B "$folder/tree" -Dgraze_DIR="$build" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 &&
        cmake --build "$folder/tree" >>"$work/log" 2>&1 || { echo "find_package on a build folder:"; tail -30 "$work/log"; exit 1; }
    expect "$folder/tree/shared"
    for way in package part; do
        cmake -S "$folder/$way" -B "$folder/$way/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" \
            -DGRAZE_SIMD=OFF >"$work/log" 2>&1 &&
            cmake --build "$folder/$way/build" -j 2 >>"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
        expect "$folder/$way/build/shared"
        expect "$folder/$way/build/archive"
    done
    # without a build type of the parent graze is compiled for use all the same
    flags=$(cat "$folder/part/build/_deps/graze-build/src/CMakeFiles/graze_objects.dir/flags.make")
    case $flags in *-O3*) ;; *) echo "graze is not optimised as a part of a project without a build type"; exit 1 ;; esac
}

consumers C "$work/example.c"
if command -v c++ >/dev/null 2>&1; then
    cat >"$work/front.cpp" <<'TEXT'
#include <graze/graze.hpp>
#include <iostream>
int main() {
    graze::context context;
    const std::vector<graze_query> queries(1, {{{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                                               {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}});
    const graze_result result = graze::ccd_batch(context, GRAZE_VF, queries)[0];
    std::cout << graze_verdict_name(result.verdict) << ": free until t = " << result.toi << '\n';
}
TEXT
    consumers CXX "$work/front.cpp"
    # counts and indices that are signed, as Eigen's are, warn nowhere
    c++ -std=c++17 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Werror -I"$source/include" "$source/test/install/signed_counts.cpp"
fi
echo "1 passed, 0 failed"
