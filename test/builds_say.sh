#!/bin/sh
# A build whose compiler is not there reads as skipped, never as passed, and does not hide one that fails; `./dev builds` installs
# the compilers that the chosen builds take. Without cmake nothing can be built here.
# usage: builds_say.sh SOURCE_DIR
set -eu
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*: $(cat "$work/said")"; exit 1; }
mkdir "$work/bin"
for tool in sh getconf grep cut sed sort mkdir rm tail; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
builds() {
    status=0
    PATH="$work/bin" sh "$source/test/builds.sh" "$source" "$work/builds" "$@" >"$work/said" 2>&1 || status=$?
}

builds clang-16 clang-19 gcc-11
[ $status = 77 ] || fail "compilers that are not there end with $status"
[ "$(grep -c ': SKIPPED, there is no ' "$work/said")" = 3 ] || fail "not three are skipped"
grep -qx '0 builds as they should be, 3 skipped, 0 failed' "$work/said" || fail "the last line does not count them"
printf '#!/bin/sh\n' >"$work/bin/clang-16"
chmod +x "$work/bin/clang-16"
builds clang-16 clang-19
[ $status = 1 ] || fail "a build that fails beside one that is skipped ends with $status"
builds no-such-build
[ $status = 1 ] || fail "a build that does not exist ends with $status"
builds --compilers clang-19 O2
[ "$(cat "$work/said")" = clang-19 ] || fail "the compilers of clang-19 and O2"
for name in O2 clang-16 clang-19; do
    sh "$source/test/builds.sh" "$source" "$work/builds" --list | grep -qx $name || fail "there is no build $name"
done
