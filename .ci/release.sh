#!/bin/sh
# Makes a release from what is committed: a tarball that builds offline, with the viewer and the documents built, made twice and
# compared; its list of parts (SPDX); the ABI, compared with the release before. Then the tag.
# usage: release.sh [--try]     --try does all but the tag, and takes a version that the changelog calls unreleased
set -eu
cd "$(dirname "$0")/.."
try=no
case ${1:-} in --try) try=yes ;; '') ;; *) echo "usage: ./dev release [--try]" >&2; exit 2 ;; esac
version=$(sed -n 's/.*define GRAZE_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' include/graze/base.h | paste -sd .)
abi=${version%.*}
name=graze-$version
out=$PWD/build/release
stop() { echo "release: $*" >&2; exit 1; }

if [ $try = no ]; then
    [ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed"
    ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || stop "there is a v$version already"
    grep -q "^## $version (20[0-9-]*)" CHANGELOG.md || stop "CHANGELOG.md has no '## $version (date)'"
fi
grep -q "^version: $version\$" CITATION.cff || stop "CITATION.cff has another version than $version"
grep -q "^graze ($version-" debian/changelog || stop "debian/changelog has another version than $version"
sh debian/symbols.sh check
git rev-parse -q --verify HEAD >/dev/null || stop "this is no git repository: releases are made from one"
commit=$(git rev-parse HEAD) # both runs make this one, whatever is committed meanwhile
time=$(git log -1 --format=%ct "$commit")
rm -rf "$out"
mkdir -p "$out"

# tarball FOLDER: makes one there, from a clone
tarball() {
    git clone -q . "$1/clone"
    git -C "$1/clone" checkout -q "$commit"
    (
        cd "$1/clone"
        sh web/build.sh . "$1/wasm" "$1/site" && mkdir -p web/built && cp "$1/site/index.html" web/built/ &&
            node web/docs/build.mjs web/built/docs && node .ci/parts.mjs web/built
    ) >"$1/log" 2>&1 || { tail -20 "$1/log"; stop "the viewer or the documents could not be built"; }
    (
        cd "$1/clone"
        { git ls-files; find web/built -type f; } | LC_ALL=C sort >"$1/files"
        tar --create --no-recursion --files-from="$1/files" --transform="s,^,$name/," --format=ustar --mtime="@$time" --owner=0 --group=0 --numeric-owner \
            --mode=u=rwX,go=rX | gzip -9n >"$1/$name.tar.gz"
    )
}
for run in first second; do
    mkdir "$out/$run"
    tarball "$out/$run"
done
cmp "$out/first/$name.tar.gz" "$out/second/$name.tar.gz" || stop "two runs made two tarballs"
mv "$out/first/$name.tar.gz" "$out/first/clone/web/built/parts.spdx.json" "$out"
echo "tarball: $(stat -c %s "$out/$name.tar.gz") bytes, the same twice"

# it builds without git, npm and emscripten, and has the viewer
mkdir "$out/offline"
tar -xf "$out/$name.tar.gz" -C "$out/offline"
(cd "$out/offline/$name" && cmake -B build -DGRAZE_TESTS=OFF -DGRAZE_MPI=OFF -DCMAKE_C_FLAGS=-g && cmake --build build -j"$(nproc)" --target graze_program graze_shared graze_robot_shared) \
    >"$out/offline/log" 2>&1 || { tail -20 "$out/offline/log"; stop "the tarball does not build"; }
built=$out/offline/$name/build
"$built/graze" --version | grep -qx "graze $version" || stop "the program is not $version"
[ "$(stat -c %s "$built/graze")" -gt "$(stat -c %s web/index.html)" ] && grep -q "<!doctype html>" "$built/graze" || stop "the program has no viewer"
echo "it builds offline, with the viewer"

# the ABI, beside that of the release before with the same soname
for library in graze graze_robot; do
    abidw --no-corpus-path --no-comp-dir-path --drop-private-types --headers-dir include/graze --out-file "$out/lib$library-$version.abi" "$built/lib$library.so"
    before=$(ls abi/lib"$library"-"$abi".*.abi 2>/dev/null | sort -V | grep -vF -- "-$version.abi" | tail -1)
    if [ -n "$before" ]; then
        abidiff --no-added-syms "$before" "$out/lib$library-$version.abi" || stop "the ABI of lib$library differs from $before: the soname has to change"
        echo "ABI of lib$library: as $before has it, besides what is new"
    else
        echo "ABI of lib$library: the first of $abi"
    fi
done
rm -rf "$out/first" "$out/second" "$out/offline"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
if [ $try = yes ]; then
    echo "tried: $out; no tag"
    exit 0
fi
mkdir -p abi
cp "$out"/*.abi abi/
git add abi
git diff --cached --quiet || git commit -qm "The ABI of $version, for releases to come to be compared with"
git tag -a "v$version" -m "graze $version"
echo "tagged v$version; $out has what to publish"
