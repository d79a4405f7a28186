"""Shards on the workers of a Dask cluster, which see the same folders as this machine:

    python3 dask_shards.py 64 truth.jsonl graze truth queries/

DASK_SCHEDULER_ADDRESS names the scheduler; without it there is a cluster of this machine, one process of one thread a core.
Shards go to the folder $GRAZE_SHARDS, or "shards". Dask tries each three times more; run again, it goes on where it was.
"""

import os
import subprocess
import sys


def run_shard(command, index, count, folder):
    """truth says by 1 that it disagrees with a file: that is no failure."""
    done = subprocess.run([*command, "--threads", "1", "--shard", f"{index}/{count}", "--shard-out", folder, "--resume"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)


def main(count, out, *command):
    from distributed import Client, LocalCluster, progress

    count, folder = int(count), os.path.abspath(os.environ.get("GRAZE_SHARDS", "shards"))
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    with Client(address or LocalCluster(threads_per_worker=1, dashboard_address=None)) as client:
        shards = [client.submit(run_shard, command, i, count, folder, pure=False, retries=3) for i in range(1, count + 1)]
        if sys.stderr.isatty():
            progress(shards)
        client.gather(shards)
    return subprocess.call([command[0], "merge", folder, "--out", out])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 4 else "usage: dask_shards.py SHARDS FILE.jsonl graze COMMAND …")
