#!/bin/sh
# Spin tries every order of the steps of the pool's callers and threads on the model pool.pml: nothing hangs, no index is lost or done
# twice, nobody sleeps on beside work. The model follows pool.c: each line that it quotes stands there. Taken apart on
# purpose in four ways, the model has errors. Skipped without Spin.   usage: pool_model.sh SOURCE_DIR
set -eu
source=$(cd "$1" && pwd)
model=$source/test/base/pool.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's|^/\* . \(.*\) \*/$|\1|p' "$model" >"$work/quoted"
[ "$(wc -l <"$work/quoted")" = 19 ] || { echo "FAILED: $(wc -l <"$work/quoted") lines are quoted"; exit 1; }
while IFS= read -r line; do
    grep -qF -e "$line" "$source/src/base/pool.c" || { echo "FAILED: pool.c has no longer: $line"; exit 1; }
done <"$work/quoted"
command -v spin >/dev/null 2>&1 || { echo "skipped: there is no spin"; exit 77; }

explore() { # definitions…: prints "errors STATES"
    rm -rf "$work/run" && mkdir "$work/run"
    (cd "$work/run" && spin -a "$@" "$model" >log 2>&1 && cc -O1 -w -DSAFETY -DNOCLAIM -DVECTORSZ=512 -o pan pan.c >>log 2>&1 &&
        ./pan -m1000000 >>log 2>&1) || { tail -n 20 "$work/run/log"; echo "FAILED: spin $*"; exit 1; }
    ! grep -q 'max search depth too small' "$work/run/log" || { echo "FAILED: not all was searched: $*"; exit 1; }
    awk '/errors: / { errors = $NF } /states, stored/ { states = $1 } END { print errors, states }' "$work/run/log"
}
sound() {
    found=$(explore "$@")
    case $found in "0 "*) echo "no error in ${found#* } states: $*" ;; *) cat "$work/run/log"; echo "FAILED: $*: $found"; exit 1 ;; esac
}
broken() {
    found=$(explore "$@")
    case $found in "0 "* | " "*) echo "FAILED: nothing is noticed with $*"; exit 1 ;; *) echo "noticed: $*" ;; esac
}
sound -DWORKERS=2 -DCALLERS=1 -DROUNDS=2 -DINDICES=2
sound -DWORKERS=1 -DCALLERS=2 -DROUNDS=1 -DINDICES=2
sound -DWORKERS=1 -DCALLERS=2 -DROUNDS=2 -DINDICES=1
sound -DWORKERS=2 -DCALLERS=1 -DROUNDS=1 -DINDICES=3
broken -DWORKERS=1 -DBREAK_SLEEP_ORDER
broken -DWORKERS=1 -DBREAK_OPEN_ORDER
broken -DBREAK_AWAIT_ORDER
broken -DBREAK_FREE_BEFORE_OPEN
