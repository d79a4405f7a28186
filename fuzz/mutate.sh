#!/bin/sh
# The readers of models, URDF with SRDF, COLLADA, scenes, plans and lists to be resumed on mutated seeds, COUNT of each; with the sanitizers where the
# programs were built with them.   usage: mutate.sh FOLDER_OF_PROGRAMS COUNT [SEED]
set -eu
programs=$(cd "$1" && pwd) count=$2 seed=${3:-1}
seeds=$(cd "$(dirname "$0")/seeds" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in models urdf collada scene plan lines; do
    "$programs/mutate_$name" "$count" "$seeds/$name" "$seed" || {
        cp mutated-* "$programs"
        echo "$name: the input is $programs/mutated-mutate_$name"
        exit 1
    }
done
