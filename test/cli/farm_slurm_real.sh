#!/bin/sh
# examples/farm/slurm.sh in a real Slurm: munged, slurmctld and slurmd of this machine alone, in a folder of their own. Root
# starts them, so the night runs it and a test does not.
# usage: farm_slurm_real.sh SOURCE_DIR PROGRAM
set -eu
farm=$1/examples/farm
graze=$2
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "Slurm's daemons are started by root"
for daemon in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $daemon >/dev/null || skip "no $daemon (Debian: slurm-wlm munge)"
done
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
chmod 755 "$folder"
pids=''
finish() {
    for pid in $pids; do kill "$pid" 2>/dev/null || :; done
    wait
    rm -rf "$folder"
}
trap finish EXIT
host=$(hostname -s)
cd "$folder"
mkdir munge ctld d log
dd if=/dev/urandom of=munge/key bs=128 count=1 2>/dev/null
chmod 700 munge
chmod 600 munge/key
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" >log/munged 2>&1 &
pids="$pids $!"
# the port range is that of a second Slurm, should one run here
cat >slurm.conf <<CONF
ClusterName=graze
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/ctld
SlurmdSpoolDir=$folder/d
SlurmctldPidFile=$folder/ctld.pid
SlurmdPidFile=$folder/d.pid
SlurmctldLogFile=$folder/log/ctld
SlurmdLogFile=$folder/log/d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=10 State=UP
CONF
export SLURM_CONF="$folder/slurm.conf"
sleep 1
slurmctld -D -c -f "$SLURM_CONF" >log/ctld.out 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" >log/d.out 2>&1 &
pids="$pids $!"
said=''
for try in $(seq 60); do
    said=$(sinfo -h -o %T 2>&1) || :
    [ "$said" = idle ] && break
    sleep 1
done
[ "$said" = idle ] || { echo "Slurm does not start: $said"; tail -n 5 log/*; exit 1; }
"$graze" scene cloth-ball --frames 9 --size 8 --out scene >/dev/null
"$graze" sequence scene --mode all --no-times --out one.jsonl >/dev/null
sbatch --wait --array=1-5 --output="$folder/log/task-%a" "$farm/slurm.sh" "$graze" sequence scene --mode all
"$graze" merge shards --out list.jsonl
cmp list.jsonl one.jsonl
echo "the shards of a Slurm array have the bytes of one run"
