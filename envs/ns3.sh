# SPDX-License-Identifier: MIT
# The part of setup.sh that chooses the ns-3 of .venv. Default: ns-3's wheel, or Debian's package if this system has no
# wheel. NS3=... names another: the prefix of an installation, or the folder or tarball of a source. A source is built
# when the first sweep is planned. The path of an ns-3 other than the wheel is written to .venv/ns3.path, which tcpsweep
# reads. A complete .venv keeps its ns-3, unless NS3 names another. NS3=wheel returns to the wheel.

NS3_NOTE=$venv/ns3.path
DEBIAN_PREFIX=${DEBIAN_PREFIX:-/usr} # the tests set another

# Whether prefix $1 has ns-3's headers.
has_ns3() { [ -f "$1/include/ns3/core-config.h" ]; }

# Prints the path of .venv's ns-3, current or future, or nothing for the wheel.
chosen_ns3() {
    case "${NS3:-}" in
        wheel) ;;
        '') if [ -f "$NS3_NOTE" ]; then cat "$NS3_NOTE"; elif [ -z "$has_wheel" ]; then printf '%s\n' "$DEBIAN_PREFIX"; fi ;;
        *)
            # A shell does not expand the ~ in `make NS3=~/folder`.
            case "$NS3" in '~/'*) NS3=$HOME/${NS3#??} ;; esac
            if [ -d "$NS3" ]; then folder=$NS3 file=''; else folder=$(dirname "$NS3") file=/${NS3##*/}; fi
            if [ -d "$folder" ]; then printf '%s%s\n' "$(cd "$folder" && pwd -P)" "$file"; else printf '%s\n' "$NS3"; fi
            ;;
    esac
}

# Sets ns3, or reports the missing package.
find_ns3() {
    ns3=$(chosen_ns3)
    if [ -z "$ns3" ]; then
        [ -n "$has_wheel" ] || die "there is no ns-3 wheel for $system; name an ns-3 with NS3=..."
    elif [ "$ns3" = "$DEBIAN_PREFIX" ] && ! has_ns3 "$ns3"; then
        lacking libns3-dev "there is no ns-3 wheel for $system, and Debian's ns-3 is not installed under $ns3." \
            "NS3=... names another ns-3: the prefix of an installation, or the folder or tarball of a source."
    elif [ ! -e "$ns3" ]; then
        die "NS3 names $ns3, which does not exist."
    fi
}

# Install the wheel, or note the path of another ns-3.
install_ns3() {
    if [ -z "$ns3" ]; then
        say "2/4  ns-3 from envs/ns3.txt, and tools that compile programs for it, about 100 MB to download"
        install --require-hashes --only-binary :all: --no-deps -r "$envs/ns3.txt"
    else
        if has_ns3 "$ns3"; then is='which is installed'; else is='a source, which the first sweep builds in about 20 min'; fi
        why=''
        [ -n "$has_wheel" ] || why="there is no wheel for $system, so "
        say "2/4  ${why}sweeps use the ns-3 in $ns3, $is; results depend on its version (docs/other-machines.md)"
        printf '%s\n' "$ns3" >"$NS3_NOTE"
    fi
}
