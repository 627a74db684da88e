#!/bin/sh
# SPDX-License-Identifier: MIT
# Make .venv, tcpsweep's only Python environment, from the locks next to this script. `make` always calls it first.
#
# A .venv is complete if .venv/.complete has the current key: a hash over the Python version, the locks, the settings
# for tcpsweep's own installation, and the folder. That file is written last. So after an interrupted set-up, a changed
# lock or a moved folder, the key differs, and .venv is built again from scratch. PYTHON=... chooses the interpreter.
# Without it, a complete .venv keeps its own. NS3=... chooses an ns-3 (ns3.sh).
#
# With --sweeps, only the packages for sweeps are installed, and .venv/.sweeps has the key. With --tests, the packages
# for `make test` are added, and .venv/.tests has the key. The first call with neither adds the packages for all tests,
# lint and docs. If a sweep file is named, it is checked before most packages are
# downloaded, and its programs are compiled during the downloads. This is POSIX sh, so that a system without bash shows
# the messages below instead of a message about bash.
set -eu

envs=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$envs")
venv=$root/.venv
log=$venv/setup.log
whole=.complete
case "${1:-}" in --sweeps | --tests) whole=.${1#--} && shift ;; esac
sweep=${1:-}
# The packages that read and check a sweep file without ns-3: 6 of the 270 MB.
READS='annotated-types|attrs|jsonschema|jsonschema-specifications|msgspec|pydantic|pydantic-core|pyyaml|referencing|rpds-py|typing-extensions|typing-inspection'
BUILDS='cmake|ninja' # the packages that compile programs
NEEDED_KB=1500000 # the size of .venv
unset PYTHONHOME PYTHONPATH # cluster modules set them for other environments
export PIP_USER=0           # with "user = true" in pip.conf, every installation into a venv would fail

say() { printf 'setup: %s\n' "$@"; }

die() {
    say "$@" >&2
    exit 1
}

# --- check the machine ---

# Sets system. Sets has_wheel if ns-3 has a wheel for it.
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
        "Supported: Linux on x86_64 or aarch64 with glibc 2.28 or newer (Debian 10, Ubuntu 20.04, RHEL 8, or later)." \
        "On other systems, use a container: docs/other-machines.md."
}

# Prints "VERSION venv|no-venv|no-wheel EXECUTABLE" for interpreter $1, or nothing if it does not run. Python 2 has to
# understand the code too. The executable is the base interpreter's, which stays when an active .venv is removed.
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

# Sets python and version, or reports the missing package.
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
            "Python $without_venv lacks its modules venv or ensurepip, which Debian has in a separate package."
    else
        lacking "python3 python3-venv" \
            "no suitable Python. Expected: CPython 3.11, 3.12 or 3.13; found: ${seen:-none}. PYTHON=... chooses one."
    fi
}

# Sets compiler, or reports that it is missing.
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
        # No quotes, because CXX may be "ccache g++".
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
        die "$root has $((free / 1000)) MB of disk space left, but .venv takes $((NEEDED_KB / 1000)) MB."
}

# Fails if there is no file $1, with the most similar name.
check_sweep_is_there() {
    [ -z "$1" ] || [ -e "$1" ] || die "$1: no such file$("$python" -E -c '
import sys
sys.path.insert(0, sys.argv[1])
from tcpsweep.core.sweepfile.document import file_names
print(file_names.nearest_sweep_file(sys.argv[2]))' "$root" "$1" 2>/dev/null)"
}

# Adds Debian packages $1 to the missing ones, and reports the reason, $2 and later.
lacking() {
    packages="$packages $1"
    shift
    say "$@" >&2
}

# --- make .venv ---

# Prints the settings for the installation in pyproject.toml. Its settings for tools do not change .venv.
packaging() { sed -nE '/^\[(build-system|project|tool\.setuptools)[].]/,/^$/p' "$root/pyproject.toml"; }

# Prints the key for Python version $1.
key() {
    digest=$({ cat "$envs/build.txt" "$envs/requirements.txt" "$envs/ns3.txt" && packaging && chosen_ns3; } | sha256sum)
    printf '%s %s %s\n' "$1" "${digest%% *}" "$venv"
}

# Whether .venv is complete (.complete) or has the packages for tests (.tests) or sweeps (.sweeps), as $1 says. Each
# includes the next.
is_whole() {
    said=''
    for file in .complete .tests .sweeps; do
        if [ -z "$said" ] && [ -f "$venv/$file" ]; then said=$venv/$file; fi
        [ "$file" != "$1" ] || break
    done
    [ -n "$said" ] || return 1
    present=$("$venv/bin/python" -ISc 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || return 1
    if [ -n "${PYTHON:-}" ]; then
        wanted=$(describe_python "$PYTHON")
        [ "$present" = "${wanted%% *}" ] || return 1
    fi
    [ "$(cat "$said")" = "$(key "$present")" ]
}

# Whether .venv has the SLURM plugin, or needs none: .venv/.slurm is a copy of the installed lock. If SLURM is installed
# later, the plugin is added to a complete .venv.
has_slurm_plugin() { ! command -v sbatch >/dev/null || cmp -s "$envs/slurm.txt" "$venv/.slurm"; }

# Allow one set-up at a time. Child processes inherit the lock, so that the next set-up waits for the pip of a killed one.
take_lock() {
    command -v flock >/dev/null || return 0
    exec 9>"$venv.lock"
    flock -n 9 && return
    say "waiting for another set-up in this folder"
    flock 9 || say "this file system has no locks; going on without a lock"
}

# Runs pip install with arguments $@, quietly unless it fails. pip compiles no Python: in one process, that would double
# the time.
install() {
    "$venv/bin/python" -I -m pip install --quiet --no-input --disable-pip-version-check --progress-bar off --no-compile \
        "$@" >>"$log" 2>&1 && return
    say "pip failed; its last lines:" >&2
    tail -n 4 "$log" | cut -c -200 | sed 's/^/    /' >&2
    if grep -qiE 'connection|resolve|timed out|unreachable|proxy|ssl' "$log"; then
        die "the network seems to be down. When it works again, run make again."
    fi
    die "the whole log is .venv/setup.log. Remove the cause, then run make again."
}

# Prints the packages $1 of the lock, with their hashes.
of_lock() { sed -nE "/^($1)==/,/[^\\\\]\$/p" "$envs/requirements.txt"; }

# Prints the number of packages in lock $1.
count() { grep -c '^[A-Za-z0-9]' "$1"; }

# Write the part of the lock for $1, sweeps or tests, to .venv/$1.txt.
part_for() {
    "$venv/bin/python" -I "$envs/part_of_lock.py" "$1" "$envs/requirements.in" "$envs/requirements.txt" >"$venv/$1.txt"
}

# Install lock $1, or a part of it. connection-pool, which Snakemake needs, has no wheel. It is built with the locked
# setuptools, because pip would choose another version.
install_lock() {
    install --require-hashes --only-binary :all: --no-binary connection-pool --no-build-isolation --use-pep517 -r "$1"
}

# Compile the sweep's programs while packages are downloaded. Errors are ignored here: the sweep itself reports them.
compile_ahead() {
    [ -n "$sweep" ] || return 0
    PYTHONPATH=$root "$venv/bin/python" -m tcpsweep ahead "$sweep" >"$venv/ahead.log" 2>&1 9>&- &
}

# Compile all Python on all cores, which takes 12 s of CPU time. Otherwise the first start of each program compiles only its
# own modules. In a read-only folder, every start would.
compile_python() { "$venv/bin/python" -I -m compileall -q -j 0 "$venv/lib" >/dev/null 2>&1 || true; }

# Write the key to file $1 in .venv.
conclude() {
    key "$version" >"$venv/$1.new"
    mv "$venv/$1.new" "$venv/$1"
}

# Make .venv with the packages for sweeps.
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
    part_for sweeps
    say "3/4  $(count "$venv/sweeps.txt") Python packages from envs/requirements.txt, about 225 MB to download"
    install_lock "$venv/sweeps.txt"
    say "4/4  the command tcpsweep, which uses the code in this folder"
    install --no-index --no-deps --no-build-isolation --editable "$root"
    conclude .sweeps
}

. "$envs/ns3.sh"

check_platform
if is_whole "$whole" && has_slurm_plugin; then exit 0; fi
take_lock
if is_whole "$whole" && has_slurm_plugin; then exit 0; fi

if [ -n "$sweep" ] && ! is_whole .sweeps; then
    say "first, make .venv and compile the simulator, once; with a fast network, this takes about a minute." \
        "Then $sweep runs. It prints the expected time and its progress, and at the end a table, the findings," \
        "and the path of the report."
fi
packages=''
find_python
find_compiler
find_ns3
[ -z "$packages" ] || die "on Debian or Ubuntu, run:  apt-get install$packages" "and then run make again."
check_sweep_is_there "$sweep"
check_space

if is_whole .sweeps; then
    version=$present
else
    make_for_sweeps
fi
if ! has_slurm_plugin; then
    say "also the SLURM plugin from envs/slurm.txt"
    install_lock "$envs/slurm.txt"
    cp "$envs/slurm.txt" "$venv/.slurm"
fi
if [ "$whole" = .tests ] && ! is_whole .tests; then
    say "also packages for tests from envs/requirements.txt"
    part_for tests
    install_lock "$venv/tests.txt"
    conclude .tests
fi
if [ "$whole" = .complete ] && ! is_whole .complete; then
    say "also packages for all tests, lint and docs from envs/requirements.txt, about 100 MB to download"
    install_lock "$envs/requirements.txt"
    compile_python
    conclude .complete
fi
say "done"
