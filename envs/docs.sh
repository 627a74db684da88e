#!/bin/sh
# SPDX-License-Identifier: MIT
# Make .venv-docs from envs/docs.txt, with .venv's Python. It needs a complete .venv.
#
# It is complete if .venv-docs/.complete has the current key, as for .venv (setup.sh).
set -eu

envs=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$envs")
venv=$root/.venv-docs
python=$root/.venv/bin/python
unset PYTHONHOME PYTHONPATH
export PIP_USER=0

key=$(cat "$envs/docs.txt" "$root/.venv/.complete" | sha256sum)
[ "$(cat "$venv/.complete" 2>/dev/null)" != "$key" ] || exit 0
if command -v flock >/dev/null; then
    exec 9>"$venv.lock"
    flock 9 || :
    [ "$(cat "$venv/.complete" 2>/dev/null)" != "$key" ] || exit 0
fi

echo "setup: .venv-docs from envs/docs.txt"
rm -rf "$venv"
"$python" -I -m venv --without-pip "$venv"
if ! "$python" -I -m pip --python "$venv/bin/python" install --quiet --no-input --disable-pip-version-check \
    --progress-bar off --no-compile --require-hashes --only-binary :all: -r "$envs/docs.txt" >"$venv/setup.log" 2>&1; then
    tail -n 4 "$venv/setup.log" | cut -c -200 | sed 's/^/    /' >&2
    echo "setup: pip failed; the whole log is .venv-docs/setup.log" >&2
    exit 1
fi
echo "$key" >"$venv/.complete"
