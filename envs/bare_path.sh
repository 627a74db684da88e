#!/bin/sh
# SPDX-License-Identifier: MIT
# Make folder $1 for PATH: links to the programs of Debian's essential packages and of the packages that the README asks
# for (make, g++, python3-venv, git), and to no others. `make test` uses it, so that a test that starts another program
# fails, also on a machine that has the program.
set -eu

folder=$1
new=$folder.new.$$
rm -rf "$new"
mkdir -p "$new"

# coreutils
PROGRAMS="[ basename cat chgrp chmod chown comm cp cut date dd df dirname du echo env expr false head id install join link
ln ls md5sum mkdir mkfifo mknod mktemp mv nice nproc od paste printenv printf pwd readlink realpath rm rmdir seq sha256sum
sha512sum sleep sort split stat stty sync tac tail tee test timeout touch tr true truncate tty uname uniq unlink wc whoami yes"
# bash, dash, debianutils, diffutils, findutils, grep, gzip, hostname, libc-bin, mawk, perl-base, sed, tar, util-linux
PROGRAMS="$PROGRAMS bash sh which cmp diff find xargs egrep fgrep grep gunzip gzip zcat hostname getconf ldd locale awk mawk perl sed
tar flock getopt more"
# make, git, g++ with its packages
PROGRAMS="$PROGRAMS make git git-receive-pack git-upload-archive git-upload-pack c++ cc cpp g++ gcc ar as c++filt ld ld.bfd nm
objcopy objdump ranlib readelf strings strip"

for program in $PROGRAMS; do
    if path=$(command -v "$program") && [ -x "$path" ]; then
        # A wrapper such as ccache's, which is named like the compiler, does not belong to its package.
        case $(readlink -f "$path") in */ccache) path=/usr/bin/$program ;; esac
        ln -s "$path" "$new/$program"
    fi
done
# The shell has some of these programs built in, so `command -v` prints no path.
for program in '[' echo false printf pwd test true; do
    [ -e "$new/$program" ] || [ ! -x "/usr/bin/$program" ] || ln -s "/usr/bin/$program" "$new/$program"
done
# A script, because a link would become a part of the environments that this interpreter makes.
if python=$(python3 -I -c 'import sys; print(sys.executable)' 2>/dev/null); then
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$new/python3"
    chmod 755 "$new/python3"
fi
rm -rf "$folder"
mv "$new" "$folder"
