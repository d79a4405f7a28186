#!/bin/sh
# Every constant of error_bounds.h is named in a page of docs/numerics, and every constant named there exists.
# usage: constants_are_documented.sh SOURCE_DIR
set -eu
cd "$1"
header=src/numerics/error_bounds.h
document=docs/numerics
status=0
constants=$(sed -n 's/^#define \(GZ_[A-Z0-9_]*\) .*/\1/p' $header)
[ "$(echo "$constants" | wc -l)" -gt 20 ] || { echo "hardly any constants in $header"; exit 1; }
for name in $constants; do
    grep -rq "\`$name\`" $document || { echo "$name of $header is not in $document"; status=1; }
done
for name in $(grep -rho '`GZ_[A-Z0-9_]*`' $document | tr -d '`' | sort -u); do
    grep -rqw "#define $name" src || { echo "$name of $document is defined nowhere"; status=1; }
done
exit $status
