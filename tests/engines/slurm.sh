#!/bin/sh
# A Slurm cluster of this one machine, on loopback, for the tests.
#
#   slurm.sh start DIR    starts munged, slurmctld and slurmd, all below DIR; prints how to use them
#   slurm.sh stop DIR     ends them by their pids
#
# It needs root, and Debian's packages slurmctld, slurmd, slurm-client and munge.
set -eu
command=$1
dir=$2

start() {
    mkdir -p "$dir/state" "$dir/spool"
    chmod 755 "$dir"
    host=$(hostname -s)
    # Two clusters may run at a time.
    port=$((20000 + $$ % 20000 * 2))
    head -c 1024 /dev/urandom >"$dir/munge.key"
    chmod 400 "$dir/munge.key"
    cat >"$dir/slurm.conf" <<CONF
ClusterName=tests
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
JobRequeue=1
KillWait=5
MessageTimeout=20
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=tests Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
CONF
    munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" \
        --syslog >/dev/null 2>&1 &
    echo $! >"$dir/munged.child"
    wait_for test -S "$dir/munge.socket"
    export SLURM_CONF="$dir/slurm.conf"
    slurmctld -D -c >/dev/null 2>&1 &
    echo $! >"$dir/slurmctld.child"
    wait_for scontrol ping
    slurmd -D -N "$host" >/dev/null 2>&1 &
    echo $! >"$dir/slurmd.child"
    wait_for is_idle
    echo "SLURM_CONF=$dir/slurm.conf"
}

is_idle() {
    sinfo -h -o %T | grep -q idle
}

# Tries a command for a minute.
wait_for() {
    for _ in $(seq 600); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    echo "not after a minute: $*" >&2
    tail -n 5 "$dir"/*.log >&2 || true
    stop
    exit 1
}

stop() {
    for daemon in slurmd slurmctld munged; do
        if [ -f "$dir/$daemon.child" ]; then
            kill "$(cat "$dir/$daemon.child")" 2>/dev/null || true
            rm -f "$dir/$daemon.child"
        fi
    done
}

"$command"
