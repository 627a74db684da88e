#!/bin/sh
# SPDX-License-Identifier: MIT
# Renew the locks: make envs/NAME.txt from envs/NAME.in, with the newest compatible versions. One file serves all
# versions of Python that tcpsweep supports. It uses uv, because pip resolves only for the interpreter that runs it.
set -eu

cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

../.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --target "$scratch/uv" -r uv.txt

# compile NAME [OPTIONS]: make the lock of NAME.in in the scratch folder
compile() {
    name=$1
    shift
    printf 'lock: %s\n' "envs/$name.txt"
    {
        printf '# SPDX-License-Identifier: MIT\n# Made from %s by `make lock`; not to be edited.\n' "$name.in"
        "$scratch/uv/bin/uv" pip compile --quiet --upgrade --universal --generate-hashes --no-header \
            --no-python-downloads --python ../.venv/bin/python --python-version 3.11 "$@" "$name.in"
    } >"$scratch/$name.txt"
    sed -i "s|$scratch/||g" "$scratch/$name.txt" # uv writes the path of the lock given with -c
}

compile build
compile requirements
compile ns3 --no-deps
compile uv
compile docs
compile trials --no-deps
compile slurm -c "$scratch/requirements.txt" # .venv already has these versions
compile cluster-generic --no-deps
# Replace all or none: a failed resolution leaves the locks as they are.
mv "$scratch"/*.txt .
