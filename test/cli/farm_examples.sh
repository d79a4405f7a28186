#!/bin/sh
# The scripts of examples/farm on one machine: the list that each makes is that of one run. The array of Slurm is a loop.
# usage: farm_examples.sh SOURCE_DIR PROGRAM slurm|parallel|dask
set -eu
farm=$1/examples/farm
graze=$2
what=$3
skip() {
    echo "skipped: $1"
    exit 77
}
case $what in
parallel) parallel --version 2>/dev/null | grep -q "GNU parallel" || skip "no GNU parallel (Debian: parallel)" ;;
dask) /usr/bin/python3 -c 'import distributed' 2>/dev/null || skip "no Dask (Debian: python3-distributed)" ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$graze" scene cloth-ball --frames 9 --size 8 --out "a scene" >/dev/null
"$graze" sequence "a scene" --mode all --no-times --out one.jsonl >/dev/null

# Twice: the second time everything is there. Slurm may kill a task before that, and requeue it.
for again in 1 2; do
    case $what in
    slurm)
        for SLURM_ARRAY_TASK_ID in 3 1 5 2 4; do
            export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT=5 SLURM_CPUS_PER_TASK=1
            timeout -s KILL 0.00$SLURM_ARRAY_TASK_ID sh "$farm/slurm.sh" "$graze" sequence "a scene" --mode all >/dev/null 2>&1 || :
            for try in $(seq 300); do # one that was killed may hold its list for a moment yet
                sh "$farm/slurm.sh" "$graze" sequence "a scene" --mode all >/dev/null 2>&1 && break
                sleep 0.2
            done
        done
        "$graze" merge shards --out list.jsonl
        ;;
    parallel) sh "$farm/parallel.sh" 5 list.jsonl "$graze" sequence "a scene" --mode all >/dev/null ;;
    dask) /usr/bin/python3 "$farm/dask_shards.py" 5 list.jsonl "$graze" sequence "a scene" --mode all >/dev/null ;;
    esac
    [ "$(ls shards | grep -c '^shard-[1-5]-of-5.jsonl$')" -eq 5 ] || { echo "not five shards"; exit 1; }
    cmp list.jsonl one.jsonl
    rm list.jsonl
done
