# SPDX-License-Identifier: MIT
# Which ns-3 .venv gets: a part of setup.sh. Its wheel, where there is one; elsewhere Debian's, or what NS3=... names, the prefix
# of an installation or the folder or tarball of a source, which is built when a sweep is first planned. What is no wheel
# is noted in .venv/ns3.path, where tcpsweep finds it. A whole .venv keeps what it has, unless NS3 names another;
# NS3=wheel goes back.

NS3_NOTE=$venv/ns3.path
DEBIAN_PREFIX=${DEBIAN_PREFIX:-/usr} # the tests have another

# Whether the prefix $1 has ns-3's headers.
has_ns3() { [ -f "$1/include/ns3/core-config.h" ]; }

# What .venv has, or is to have: the path of an ns-3, or nothing for the wheel.
chosen_ns3() {
    case "${NS3:-}" in
        wheel) ;;
        '') if [ -f "$NS3_NOTE" ]; then cat "$NS3_NOTE"; elif [ -z "$has_wheel" ]; then printf '%s\n' "$DEBIAN_PREFIX"; fi ;;
        *)
            # make hands on the ~ that a shell leaves in NS3=~/folder.
            case "$NS3" in '~/'*) NS3=$HOME/${NS3#??} ;; esac
            if [ -d "$NS3" ]; then folder=$NS3 file=''; else folder=$(dirname "$NS3") file=/${NS3##*/}; fi
            if [ -d "$folder" ]; then printf '%s%s\n' "$(cd "$folder" && pwd -P)" "$file"; else printf '%s\n' "$NS3"; fi
            ;;
    esac
}

# Sets ns3, or notes what is missing.
find_ns3() {
    ns3=$(chosen_ns3)
    if [ -z "$ns3" ]; then
        [ -n "$has_wheel" ] || die "there is no ns-3 wheel for $system; NS3=... names an ns-3."
    elif [ "$ns3" = "$DEBIAN_PREFIX" ] && ! has_ns3 "$ns3"; then
        lacking libns3-dev "there is no ns-3 wheel for $system, and no ns-3 of Debian's under $ns3." \
            "NS3=... names another: the prefix of an installation, or the folder or tarball of a source."
    elif [ ! -e "$ns3" ]; then
        die "$ns3, which NS3 names, is not there."
    fi
}

# Install the wheel, or note the other.
install_ns3() {
    if [ -z "$ns3" ]; then
        say "2/4  ns-3 from envs/ns3.txt, and what compiles programs for it, some 100 MB to load"
        install --require-hashes --only-binary :all: --no-deps -r "$envs/ns3.txt"
    else
        if has_ns3 "$ns3"; then is='which is installed there'; else is='a source, which the first sweep builds in some 20 min'; fi
        why=''
        [ -n "$has_wheel" ] || why="there is no wheel for $system, so "
        say "2/4  ${why}sweeps take the ns-3 of $ns3, $is; results are its version's (docs/other-machines.md)"
        printf '%s\n' "$ns3" >"$NS3_NOTE"
    fi
}
