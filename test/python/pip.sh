#!/bin/sh
# pip installs the package from a folder (also editable), a source distribution and a clone, each into a fresh environment, without
# an index.
# usage: pip.sh SOURCE_DIR [BUILD_DIR]; with a build folder its libraries are taken, and nothing is compiled
set -eu
source=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH GRAZE_LIBRARY
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
[ -z "${2:-}" ] || { GRAZE_COMPILED=$(realpath "$2"); export GRAZE_COMPILED; }
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null || ! /usr/bin/python3 -m venv "$work/try" >/dev/null 2>&1; then
    echo "skipped: no NumPy, or no environment could be made (Debian: python3-numpy python3-venv)"
    exit 77
fi

# URDF is read where there is a static Expat to be part of the package.
with_expat=$(find /usr/lib /usr/local/lib -name libexpat.a 2>/dev/null | head -1)

try() { # name, what pip installs, options
    /usr/bin/python3 -m venv --system-site-packages "$work/$1"
    "$work/$1/bin/python" -m pip install --quiet $3 "$2"
    (cd "$work" && "$work/$1/bin/python" -c '
import sys, graze
from importlib.metadata import requires, version
assert graze._c.library._name.startswith(sys.prefix) and graze._native.native is not None
assert graze.__file__.startswith(sys.prefix) is (sys.argv[1] != "editable")
assert version("graze-ccd") == graze.__version__ and requires("graze-ccd")[0].startswith("numpy")
triangle = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
assert graze.ccd("vf", [[0, 0, 1]] + triangle, [[0, 0, -1]] + triangle).verdict == "hit"
box = "<collision><geometry><box size=\"1 1 1\"/></geometry></collision>"
if len(sys.argv) > 2:
    open("one.urdf", "w").write(f"<robot name=\"one\"><link name=\"base\">{box}</link></robot>")
    assert len(graze.Model.from_urdf("one.urdf")) == 1' "$1" $with_expat)
    echo "installed from $1"
}

try folder "$source" ""
try editable "$source" -e
(cd "$source/python" && /usr/bin/python3 -c 'import sys, graze_backend; print(graze_backend.build_sdist(sys.argv[1]))' "$work") >/dev/null
try sdist "$work"/graze_ccd-*.tar.gz ""
if git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
    git clone --quiet "$source" "$work/clone-of-source"
    try clone "git+file://$work/clone-of-source" ""
fi
echo "1 passed, 0 failed"
