#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A SLURM of two nodes, node1 and node2, both this machine, for the tests: `cluster.sh start FOLDER`, `cluster.sh stop FOLDER`. FOLDER, which must
# not be there yet, holds all that it writes, but for its configuration: jobs find that in its default place alone.
# `cluster.sh daemon FOLDER NAME` starts one of its daemons again (slurmctld, node1 or node2), `cluster.sh kill FOLDER NAME` ends it.
# `start` first stops a SLURM of this script whose tests have ended without stopping it.
set -euo pipefail

command=${1:?start, stop, daemon or kill}
folder=$(realpath -m "${2:?a folder}")
conf=/etc/slurm/slurm.conf
whose="# For the tests of tcpsweep, in "
mine=$whose$folder
starter="# Started by process "

refuse() {
    echo "$0: $1" >&2
    exit 1
}

# A process and when it began: another process may get its number later.
process() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    set -- "$1" ${stat##*) }
    echo "$1, which began at tick ${21}"
}

# The processes of a daemon of this cluster: those that hold a file of its folder open, even if the folder was removed.
daemons() {
    local pid
    for pid in $(pidof "$@"); do
        [[ $(readlink "/proc/$pid/fd/"* 2>/dev/null) != *"$folder/"* ]] || echo "$pid"
    done
}

# Whether the tests that use a cluster still run: it has daemons, and the process that started it exists.
in_use() (
    folder=$1
    started=$(sed -n "2s/^$starter//p" "$conf")
    [[ -n $(daemons munged slurmctld slurmd) && -n $started && $started == "$(process "${started%%,*}")" ]]
)

check() {
    local name
    ((EUID == 0)) || refuse "only root can start a SLURM"
    for name in munged slurmctld slurmd; do
        command -v "$name" >/dev/null || refuse "$name is not installed; apt-get install munge slurmctld slurmd slurm-client"
    done
    name=$(head -n 1 "$conf" 2>/dev/null) || name=
    if [[ $name == "$whose"* ]]; then
        name=${name#"$whose"}
        ! in_use "$name" || refuse "tests that still run use one; this ends it: $0 stop $name"
        "$0" stop "$name"
    fi
    for name in slurmctld slurmd; do
        ! pidof -q "$name" || refuse "$name runs already: this machine has a SLURM of its own, which stays as it is"
    done
    [[ ! -e $conf ]] || refuse "$conf is there: this machine has a SLURM of its own, which stays as it is"
    [[ ! -e $folder ]] || refuse "$folder is there already"
}

configure() {
    mkdir -p -m 755 "$folder" "$folder/state" "$folder/spool" "$(dirname "$conf")"
    dd if=/dev/urandom of="$folder/munge.key" bs=1 count=1024 status=none
    chmod 600 "$folder/munge.key"
    # A munged of its own, whether or not the machine has one. What is requeued waits until its credential has expired.
    # Memory is watched by slurmd, as cgroups belong to whoever runs this container. The tests' jobs mostly wait, so there
    # are CPUs and memory for more of them than the machine has.
    cat >"$conf" <<END
$mine
$starter$(process $PPID)
ClusterName=tcpsweep
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=26817
AuthInfo=socket=$folder/munge.socket,cred_expire=5
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MailProg=/bin/true
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26818 CPUs=4 RealMemory=8000
NodeName=node2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26819 CPUs=4 RealMemory=8000
PartitionName=test Nodes=ALL Default=YES MaxTime=60 DefMemPerCPU=1000
END
}

# Starts a daemon, which leaves its process id in its file.
daemon() {
    case $1 in
    munged) munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --num-threads=1 \
        --pid-file="$folder/munged.pid" --seed-file="$folder/munge.seed" --log-file="$folder/munged.log" ;;
    node*) slurmd -N "$1" ;;
    *) "$1" ;;
    esac
}

# The processes of a node that run a program, slurmd or slurmstepd: they hold the node's log open.
of_node() {
    local pid
    for pid in $(daemons "$2"); do
        [[ $(readlink "/proc/$pid/fd/"* 2>/dev/null) != *"$folder/$1.log"* ]] || echo "$pid"
    done
}

# The processes of a daemon by its name.
named() {
    case $1 in
    node*) of_node "$1" slurmd ;;
    *) daemons "$1" ;;
    esac
}

# Ends a daemon, if it runs, and waits until it has ended.
end() {
    local i pids
    pids=$(named "$1")
    [[ -n $pids ]] || return 0
    kill $pids 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do
        pids=$(named "$1")
        [[ -n $pids ]] || return 0
        sleep 0.1
    done
    kill -KILL $pids 2>/dev/null || true
}

wait_until_idle() {
    local i
    for ((i = 0; i < 100; i++)); do
        [[ $(sinfo --noheader --format=%D%t 2>/dev/null) == 2idle ]] && return
        sleep 0.2
    done
    tail -n 20 "$folder"/*.log >&2
    refuse "the nodes did not get ready"
}

# Cancels all jobs, and waits until nothing of them is left. If the folder was removed, it is not possible to cancel them.
cancel() {
    local i
    timeout 10 scancel --user=root 2>/dev/null || return 0
    for ((i = 0; i < 50; i++)); do
        [[ -n $(timeout 10 squeue --noheader 2>/dev/null) ]] || return 0
        sleep 0.2
    done
}

# Ends the jobs of a node, those that could not be cancelled or whose node is to be lost. Its processes are stopped first:
# one that still ran could tell that a job has failed, which SLURM would not start again.
end_jobs() {
    local pid pids job
    pids=$(of_node "$1" slurmstepd)
    [[ -n $pids ]] || return 0
    kill -STOP $pids 2>/dev/null || true
    for pid in $pids; do
        for job in $(cat "/proc/$pid/task/"*/children 2>/dev/null); do
            kill -KILL -- "-$job" 2>/dev/null || true
        done
    done
    kill -KILL $pids 2>/dev/null || true
}

stop() {
    local name
    [[ $(head -n 1 "$conf" 2>/dev/null) != "$mine" ]] || cancel
    for name in node1 node2 slurmctld munged; do
        end "$name"
    done
    end_jobs node1
    end_jobs node2
    [[ $(head -n 1 "$conf" 2>/dev/null) != "$mine" ]] || rm "$conf"
}

case $command in
start)
    check
    trap '(($? == 0)) || stop' EXIT
    configure
    for name in munged slurmctld node1 node2; do
        daemon "$name"
    done
    wait_until_idle
    ;;
stop) stop ;;
daemon) daemon "${3:?slurmctld, node1 or node2}" ;;
kill)
    end "${3:?slurmctld, node1 or node2}"
    end_jobs "$3"
    ;;
*) refuse "expected start, stop, daemon or kill, got $command" ;;
esac
