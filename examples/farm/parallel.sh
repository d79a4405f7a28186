#!/bin/sh
# Shards on all cores of this machine, by GNU parallel; with PARALLEL="--sshloginfile hosts --workdir ." on several:
#
#     parallel.sh 64 truth.jsonl graze truth queries/
#
# Shards go to the folder $GRAZE_SHARDS, or "shards". Each is tried three times; run again, it goes on where it was.
set -eu
[ $# -ge 3 ] || { echo "usage: parallel.sh SHARDS FILE.jsonl graze COMMAND …" >&2; exit 2; }
shards=$1 list=$2 folder=${GRAZE_SHARDS:-shards} program=$3
shift 2
# truth says by 1 that it disagrees with a file: that is no failure
seq "$shards" | parallel --will-cite --quote --retries 3 --halt now,fail=1 sh -c '"$@" || [ $? -eq 1 ]' sh \
    "$@" --threads 1 --shard "{}/$shards" --shard-out "$folder" --resume
exec "$program" merge "$folder" --out "$list"
