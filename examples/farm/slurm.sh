#!/bin/sh
#SBATCH --job-name=graze
#SBATCH --array=1-64
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
# One shard for each task of a Slurm array:
#
#     sbatch --array=1-64 slurm.sh graze truth queries/
#     sbatch --dependency=afterok:JOB --wrap "graze merge shards --out truth.jsonl"
#
# The array counts from 1. Shards go to the folder $GRAZE_SHARDS, or "shards". A task that is requeued goes on behind its
# last whole line, and one that is run again keeps what it has.
set -eu
"$@" --threads "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --shard-out "${GRAZE_SHARDS:-shards}" --resume || [ $? -eq 1 ] # truth: a file disagrees, which is no failure
