#!/bin/sh
# Builds the Debian packages from what git knows of, looks at them with lintian, installs them in a clean root of Debian and
# makes the README's first calls there.
# usage: packages.sh OUTPUT_FOLDER       in the source folder; the root needs mmdebstrap and a way to Debian's archive
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
output=$(cd "$1" && pwd)
suite=bookworm
version=$(sed -n 's/^graze (\(.*\)-.*/\1/p;q' debian/changelog)
tree=$output/graze-$version
rm -rf "$tree" "$output"/*.deb "$output/root.tar"
mkdir -p "$tree"
git ls-files -z | cpio -0pdm --quiet "$tree"
(cd "$tree" && dpkg-buildpackage -b -us -uc -j"$(nproc)") >"$output/build.log" 2>&1 || { tail -30 "$output/build.log"; exit 1; }
echo "packages: $(ls "$output"/*.deb | grep -vc dbgsym), in bytes:"
(cd "$output" && for package in *.deb; do case $package in *dbgsym*) ;; *) echo "  $(stat -c %s "$package") $package" ;; esac; done)
lintian --fail-on error,warning "$output"/graze_*.changes || { echo "lintian is not content"; exit 1; }
echo "lintian: nothing to say"

rm -rf "$output/pool"
mkdir "$output/pool"
for package in "$output"/*.deb; do case $package in *dbgsym*) ;; *) cp "$package" "$output/pool" ;; esac; done
cp -r debian/tests README.md "$output/pool"
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER # a compiler cache of this machine is not in the root
# shellcheck disable=SC2016
mmdebstrap --variant=minbase --include=gcc,libc6-dev,cmake,make,pkg-config \
    --customize-hook="mkdir -p \"\$1/pool\" && cp -r '$output/pool/.' \"\$1/pool\"" \
    --customize-hook='chroot "$1" sh -c "apt-get install -y -qq /pool/*.deb && cd /pool && sh tests/readme.sh README.md"' \
    $suite /dev/null >"$output/root.log" 2>&1 || { tail -20 "$output/root.log"; exit 1; }
sed -n '/^C by pkg-config/,$p' "$output/root.log" | grep -vE '^(I|W):|^$'
