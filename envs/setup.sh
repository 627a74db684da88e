#!/bin/sh
# SPDX-License-Identifier: MIT
# Make .venv, tcpsweep's one Python environment, from the locks beside this script. `make` always calls it first.
#
# A .venv is whole when .venv/.complete holds the key of what is wanted now: the Python, the locks, how tcpsweep itself is
# installed, and the place. That file is written last, so a set-up that was cut off, a changed lock or a moved folder
# shows as a key that differs; .venv is then built again from nothing. PYTHON=... chooses the interpreter; without it, a
# whole .venv keeps its own. NS3=... chooses an ns-3 (ns3.sh).
#
# With --sweeps, it has what a sweep takes, and .venv/.sweeps says so; what is for tests, tidiness and docs is added by the
# first call without it. With a sweep file as well, what is wrong with that is said before most is loaded, and what it needs is
# compiled meanwhile.
# POSIX sh, so that a system without bash gets the messages below rather than one about bash.
set -eu

envs=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$envs")
venv=$root/.venv
log=$venv/setup.log
whole=.complete
if [ "${1:-}" = --sweeps ]; then whole=.sweeps && shift; fi
sweep=${1:-}
# What reads and checks a sweep file without ns-3, 3 of the 270 MB.
READS='attrs|jsonschema|jsonschema-specifications|msgspec|pyyaml|referencing|rpds-py|typing-extensions'
BUILDS='cmake|ninja' # what compiles programs
NEEDED_KB=1500000 # what .venv takes
unset PYTHONHOME PYTHONPATH # of other environments, as cluster modules set them
export PIP_USER=0           # "user = true" in somebody's pip.conf would make every installation into a venv fail

say() { printf 'setup: %s\n' "$@"; }

die() {
    say "$@" >&2
    exit 1
}

# --- what is there ---

# Sets system, and has_wheel where ns-3 has one.
check_platform() {
    system=$(uname -sm)
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc="a C library other than glibc"
    has_wheel=''
    case "$system, $libc" in
        "Linux "*", glibc 2."[0-9] | "Linux "*", glibc 2."1? | "Linux "*", glibc 2."2[0-7]) ;;
        "Linux x86_64, glibc "*) has_wheel=yes && return ;;
        "Linux aarch64, glibc "*) return ;;
    esac
    die "this is $system with $libc, for which some of the Python packages have no wheels." \
        "Supported is Linux on x86_64 or aarch64 with glibc 2.28 or newer (Debian 10, Ubuntu 20.04, RHEL 8 and what came after)." \
        "Elsewhere, a container does it: docs/other-machines.md."
}

# Prints "VERSION venv|no-venv|no-wheel EXECUTABLE" for interpreter $1, nothing if it does not run. Python 2 must
# understand it too. The executable is the base one, which stays when .venv, perhaps active, is removed.
describe_python() {
    "$1" -E -s -c '
import sys
state = "no-venv"
try:
    import sysconfig
    import ensurepip, venv
    usual = sys.implementation.name == "cpython" and sys.maxsize > 2**32
    free_threaded = sysconfig.get_config_var("Py_GIL_DISABLED")
    state = "venv" if usual and not free_threaded else "no-wheel"
except (ImportError, AttributeError):
    pass
executable = getattr(sys, "_base_executable", sys.executable)
print("%d.%d %s %s" % (sys.version_info[0], sys.version_info[1], state, executable))
' 2>/dev/null || true
}

# Sets python and version, or notes what is missing.
find_python() {
    if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3.13 python3.12 python3.11 python3; fi
    seen='' without_venv=''
    for candidate; do
        described=$(describe_python "$candidate")
        [ -n "$described" ] || continue
        version=${described%% *}
        described=${described#* }
        state=${described%% *}
        python=${described#* }
        case "$version $state" in
            "3.11 venv" | "3.12 venv" | "3.13 venv") return ;;
            "3.11 no-venv" | "3.12 no-venv" | "3.13 no-venv") without_venv=${without_venv:-$version} ;;
        esac
        seen="$seen${seen:+, }$candidate is $version"
    done
    if [ -n "$without_venv" ]; then
        lacking "python$without_venv-venv" \
            "Python $without_venv lacks its modules venv or ensurepip; Debian has them in a package of their own."
    else
        lacking "python3 python3-venv" \
            "no Python that fits. Wanted: CPython 3.11, 3.12 or 3.13; found: ${seen:-none}. PYTHON=... chooses one."
    fi
}

# Sets compiler, or notes that it is missing.
find_compiler() {
    if [ -n "${CXX:-}" ]; then set -- "$CXX"; else set -- g++ c++ clang++; fi
    scratch=$(mktemp -d)
    cat >"$scratch/probe.cc" <<'PROBE'
#include <compare>
#include <concepts>
static_assert(std::integral<int> && (1 <=> 2) < 0);
int main() {}
PROBE
    compiler=''
    for candidate; do
        # Without quotes, because CXX may be "ccache g++".
        if $candidate -std=c++20 -o "$scratch/probe" "$scratch/probe.cc" >/dev/null 2>&1; then
            compiler=$candidate
            break
        fi
    done
    rm -rf "$scratch"
    [ -n "$compiler" ] || lacking g++ \
        "no C++20 compiler: a small program with -std=c++20 fails with $*. CXX=... chooses another."
}

check_space() {
    free=$(df -Pk "$root" 2>/dev/null | tail -n 1 | sed -E 's/^.* [0-9]+ +[0-9]+ +([0-9]+) +[0-9]+% .*/\1/') || return 0
    case "$free" in '' | *[!0-9]*) return ;; esac
    [ "$free" -ge "$NEEDED_KB" ] ||
        die "$root has $((free / 1000)) MB of disk left, and .venv takes $((NEEDED_KB / 1000)) MB."
}

# Says so if there is no file $1, with the name of the nearest.
check_sweep_is_there() {
    [ -z "$1" ] || [ -e "$1" ] || die "$1: no such file$("$python" -E -c '
import sys
sys.path.insert(0, sys.argv[1])
from tcpsweep.sweepfile.document import file_names
print(file_names.nearest_sweep_file(sys.argv[2]))' "$root" "$1" 2>/dev/null)"
}

# Debian packages $1 are wanted because of $2.
lacking() {
    packages="$packages $1"
    shift
    say "$@" >&2
}

# --- what is made ---

# What pyproject.toml says about the installation; its settings for tools change nothing in .venv.
packaging() { sed -nE '/^\[(build-system|project|tool\.setuptools)[].]/,/^$/p' "$root/pyproject.toml"; }

# The key for Python version $1.
key() {
    digest=$({ cat "$envs/build.txt" "$envs/requirements.txt" "$envs/ns3.txt" && packaging && chosen_ns3; } | sha256sum)
    printf '%s %s %s\n' "$1" "${digest%% *}" "$venv"
}

# Whether .venv has what $1 says, .complete or .sweeps; the first says the second too.
is_whole() {
    said=$venv/$1
    if [ "$1" = .sweeps ] && [ -f "$venv/.complete" ]; then said=$venv/.complete; fi
    [ -f "$said" ] || return 1
    present=$("$venv/bin/python" -ISc 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || return 1
    if [ -n "${PYTHON:-}" ]; then
        wanted=$(describe_python "$PYTHON")
        [ "$present" = "${wanted%% *}" ] || return 1
    fi
    [ "$(cat "$said")" = "$(key "$present")" ]
}

# Whether .venv submits to SLURM, where there is one: .venv/.slurm is a copy of the lock that was installed. A SLURM that
# comes later adds the plugin to a .venv that is whole.
has_slurm_plugin() { ! command -v sbatch >/dev/null || cmp -s "$envs/slurm.txt" "$venv/.slurm"; }

# Allow one set-up at a time. Children inherit the lock, so the next waits for a pip that outlives a killed set-up.
take_lock() {
    command -v flock >/dev/null || return 0
    exec 9>"$venv.lock"
    flock -n 9 && return
    say "waiting for another set-up that is at work here"
    flock 9 || say "this file system has no locks; going on without"
}

# pip install with arguments $@; quiet unless it fails. It compiles no Python: in one process, that takes as long as the rest.
install() {
    "$venv/bin/python" -I -m pip install --quiet --no-input --disable-pip-version-check --progress-bar off --no-compile \
        "$@" >>"$log" 2>&1 && return
    say "pip failed; its last lines:" >&2
    tail -n 4 "$log" | cut -c -200 | sed 's/^/    /' >&2
    if grep -qiE 'connection|resolve|timed out|unreachable|proxy|ssl' "$log"; then
        die "that looks like the network. When it is back, run make again."
    fi
    die "all of it is in .venv/setup.log. When the cause is gone, run make again."
}

# The packages $1 of the lock, with their hashes.
of_lock() { sed -nE "/^($1)==/,/[^\\\\]\$/p" "$envs/requirements.txt"; }

# How many packages lock $1 holds.
count() { grep -c '^[A-Za-z0-9]' "$1"; }

# Install lock $1, or a part of it. connection-pool, which Snakemake needs, has no wheel; it is built with the locked
# setuptools, not with what pip finds.
install_lock() {
    install --require-hashes --only-binary :all: --no-binary connection-pool --no-build-isolation --use-pep517 -r "$1"
}

# Compile what the sweep needs, beside what is loaded still; what fails here is told when the sweep needs it.
compile_ahead() {
    [ -n "$sweep" ] || return 0
    PYTHONPATH=$root "$venv/bin/python" -m tcpsweep ahead "$sweep" >"$venv/ahead.log" 2>&1 9>&- &
}

# Compile Python, on all cores: else the first start of whatever uses a package takes longer, and each where nobody may write.
compile_python() { "$@" "$venv/bin/python" -I -m compileall -q -j 0 "$venv/lib" >/dev/null 2>&1 || true; }

# Write file $1, which says what .venv has.
conclude() {
    key "$version" >"$venv/$1.new"
    mv "$venv/$1.new" "$venv/$1"
}

# Make .venv with what a sweep takes.
make_for_sweeps() {
    say "1/4  .venv with Python $version from $python; $compiler compiles C++20"
    rm -rf "$venv"
    mkdir "$venv"
    if ! "$python" -I -m venv "$venv" >"$log" 2>&1; then
        die "$python -m venv failed: $(tail -n 4 "$log")"
    fi
    of_lock "$READS" >"$venv/reads.txt"
    install --require-hashes --only-binary :all: -r "$envs/build.txt" -r "$venv/reads.txt"
    if [ -n "$sweep" ]; then
        PYTHONPATH=$root "$venv/bin/python" -m tcpsweep check --without-ns3 --tell "$sweep" || exit 1
    fi
    install_ns3
    of_lock "$BUILDS" >"$venv/builds.txt"
    install --require-hashes --only-binary :all: --no-deps -r "$venv/builds.txt"
    compile_ahead
    "$python" -I "$envs/for_sweeps.py" "$envs/requirements.in" "$envs/requirements.txt" >"$venv/for-sweeps.txt"
    say "3/4  $(count "$venv/for-sweeps.txt") Python packages from envs/requirements.txt, some 225 MB to load"
    install_lock "$venv/for-sweeps.txt"
    say "4/4  the command tcpsweep, whose code stays where it is"
    install --no-index --no-deps --no-build-isolation --editable "$root"
    conclude .sweeps
}

. "$envs/ns3.sh"

check_platform
if is_whole "$whole" && has_slurm_plugin; then exit 0; fi
take_lock
if is_whole "$whole" && has_slurm_plugin; then exit 0; fi

if [ -n "$sweep" ] && ! is_whole .sweeps; then
    say "first .venv is set up, once, in about a minute where the network is fast, and what simulates is compiled beside it;" \
        "then $sweep runs. It says how long it takes, shows a line of progress, and at the end a table, what was found," \
        "and where the report is."
fi
packages=''
find_python
find_compiler
find_ns3
[ -z "$packages" ] || die "on Debian or Ubuntu, type:  apt-get install$packages" "and then run make again."
check_sweep_is_there "$sweep"
check_space

if is_whole .sweeps; then
    version=$present
else
    make_for_sweeps
fi
if ! has_slurm_plugin; then
    say "and   what submits to SLURM, from envs/slurm.txt"
    install_lock "$envs/slurm.txt"
    cp "$envs/slurm.txt" "$venv/.slurm"
fi
if [ "$whole" = .complete ] && ! is_whole .complete; then
    say "and   what tests, tidiness and docs take from envs/requirements.txt, some 100 MB to load"
    install_lock "$envs/requirements.txt"
    compile_python
    conclude .complete
else
    compile_python nice -n 19 >/dev/null 2>&1 9>&- &
fi
say "done"
