# SPDX-License-Identifier: MIT
# What setup.sh gives the part that chooses an ns-3.
set -eu
say() { printf 'setup: %s\n' "$@"; }
die() { say "$@" >&2; exit 1; }
lacking() { package=$1; shift; die "$@" "apt-get install $package"; }
install() { say "pip install $*"; }
. "$envs/ns3.sh"
find_ns3
install_ns3
