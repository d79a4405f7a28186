#!/bin/sh
# Builds the library for another machine and runs its tests in an emulator: test_bits has every hash of test/bits.txt.
# usage: port.sh SOURCE_DIR FOLDER aarch64|riscv64|s390x|musl|windows [all [ctest options…]]
set -eu
source=$1 folder=$2 port=$3
shift 3
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
case $port in
musl)
    left_out='installed_package|exported_symbols'
    set -- -DCMAKE_C_COMPILER=musl-gcc -- "$@"
    ;;
windows)
    left_out='installed_package|exported_symbols'
    WINEDEBUG=-all WINEPREFIX=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")/wine
    export WINEDEBUG WINEPREFIX
    set -- -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc-posix \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_SHARED_LINKER_FLAGS=-static -DGRAZE_ROBOT=OFF \
        -DCMAKE_CROSSCOMPILING_EMULATOR=/usr/lib/wine/wine64 -- "$@"
    ;;
*)
    # an emulator cannot fork a process with threads (pool)
    left_out='installed_package|exported_symbols|^pool$'
    export GRAZE_EMULATED=1
    set -- -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$port" "-DCMAKE_C_COMPILER=$port-linux-gnu-gcc" \
        "-DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/qemu-$port;-L;/usr/$port-linux-gnu" -- "$@"
    ;;
esac
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
targets="test_bits test_result test_self_test test_base"
if [ "${1:-}" = all ]; then
    targets=all
    if [ $# = 3 ] && [ "$2" = -R ]; then # tests by their names: no more than these is built
        names=$(printf '%s\n' "$3" | sed -n 's/^^(\([a-z0-9_|]*\))\$$/\1/p' | tr '|' ' ')
        [ -z "$names" ] || targets=$(for name in $names; do printf 'test_%s ' "$name"; done)
    fi
fi
mkdir -p "$folder"
# shellcheck disable=SC2086
if ! { cmake -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DGRAZE_WERROR=ON -DGRAZE_PROGRAM=OFF $options &&
    cmake --build "$folder" -j "$jobs" --target $targets; } >"$folder/last-build.log" 2>&1; then
    tail -n 40 "$folder/last-build.log"
    echo "the build for $port failed"
    exit 1
fi
cd "$folder"
# an emulator is 10 to 30 times slower than the machine it runs on
if [ "${1:-}" = all ]; then
    shift
    ctest --output-on-failure -j "$jobs" --timeout 1200 -E "$left_out" "$@"
else
    ctest --output-on-failure -j "$jobs" --timeout 1200 -R '^(bits|result|self_test|base)$'
fi
echo "$port: the bits of test/bits.txt"
