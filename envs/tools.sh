#!/bin/sh
# SPDX-License-Identifier: MIT
# Make .venv-NAME from envs/NAME.txt, with .venv's Python: `tools.sh docs` or `tools.sh notebooks`. It needs a complete .venv.
#
# It is complete if .venv-NAME/.complete has the current key, as for .venv (setup.sh).
set -eu

envs=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$envs")
name=$1
venv=$root/.venv-$name
python=$root/.venv/bin/python
unset PYTHONHOME PYTHONPATH
export PIP_USER=0

key=$(cat "$envs/$name.txt" "$root/.venv/.complete" | sha256sum)
[ "$(cat "$venv/.complete" 2>/dev/null)" != "$key" ] || exit 0
if command -v flock >/dev/null; then
    exec 9>"$venv.lock"
    flock 9 || :
    [ "$(cat "$venv/.complete" 2>/dev/null)" != "$key" ] || exit 0
fi

echo "setup: .venv-$name from envs/$name.txt"
rm -rf "$venv"
"$python" -I -m venv --without-pip "$venv"
if [ "$name" = notebooks ]; then # they run tcpsweep: share .venv's packages, which the lock has in the same versions
    packages=$("$python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    to=$("$venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf "import site; site.addsitedir('%s')\n" "$packages" >"$to/tcpsweep-venv.pth"
fi
if ! "$python" -I -m pip --python "$venv/bin/python" install --quiet --no-input --disable-pip-version-check \
    --progress-bar off --no-compile --require-hashes --only-binary :all: -r "$envs/$name.txt" >"$venv/setup.log" 2>&1; then
    tail -n 4 "$venv/setup.log" | cut -c -200 | sed 's/^/    /' >&2
    echo "setup: pip failed; the whole log is .venv-$name/setup.log" >&2
    exit 1
fi
echo "$key" >"$venv/.complete"
