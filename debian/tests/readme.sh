#!/bin/sh
# The first calls of the README, as a user of the packages makes them: C by pkg-config and by CMake, Python, and the program.
# usage: readme.sh README.md
set -eu
readme=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
block() { awk -v fence="^\`\`\`$1\$" '$0 ~ fence && !done {inside = 1; next} /^```$/ && inside {inside = 0; done = 1} inside' "$readme"; }
expect() {
    name=$1
    shift
    said=$("$@") || { echo "$name failed: $said"; exit 1; }
    [ "$said" = "hit: free until t = 0.5" ] || { echo "$name says '$said'"; exit 1; }
    echo "$name: $said"
}

block c >"$work/example.c"
block python >"$work/example.py"
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror -o "$work/example" "$work/example.c" $(pkg-config --cflags --libs graze)
expect "C by pkg-config" "$work/example"
cat >"$work/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.21)
project(example C)
find_package(graze REQUIRED)
add_executable(by_cmake example.c)
target_link_libraries(by_cmake PRIVATE graze::graze)
TEXT
cmake -S "$work" -B "$work/build" >"$work/log" 2>&1 && cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
expect "C by CMake" "$work/build/by_cmake"
expect "Python" /usr/bin/python3 "$work/example.py"
echo '<robot name="r"><link name="base"/></robot>' >"$work/r.urdf"
/usr/bin/python3 -c 'import graze, sys; print(graze.Model.from_urdf(sys.argv[1]))' "$work/r.urdf" >"$work/said" || { echo "Python reads no URDF"; exit 1; }
sh "$here/built.sh" graze
graze --version
man -w graze >/dev/null 2>&1 || [ -e /usr/share/man/man1/graze.1.gz ] || { echo "no manual page"; exit 1; }
