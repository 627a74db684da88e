# SPDX-License-Identifier: MIT
# The commands of tcpsweep. Each first completes .venv (envs/setup.sh), which takes no time if .venv is complete.

SWEEP ?= config/config.yaml
ARGS ?=
MINUTES ?= 30
# Pass names to the recipes' shells through the environment, so that neither make nor a shell evaluates them.
override SWEEP := $(if $(filter -%,$(firstword $(value SWEEP))),./)$(value SWEEP)
override NS3_SOURCE := $(value NS3_SOURCE)
export SWEEP
# Without byte code, each program that a sweep starts would compile all its modules, which takes half a second.
unexport PYTHONDONTWRITEBYTECODE
ifneq ($(value NS3_SOURCE),)
export NS3_SOURCE
endif

.DEFAULT_GOAL := help
.PHONY: help setup sweep test test-all test-native torture mutations bench lint lint-python lint-imports lint-types lint-rules lint-cpp lint-js lint-shell format wheel docs lock shown

# Programs in recipes start tools such as cmake and ninja: use .venv's tools before the machine's.
in_venv := PATH="$(CURDIR)/.venv/bin:$$PATH"

# The tests' processes use all cores. More threads in each process would only wait for one another.
one_thread := POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1

cpp_files = git ls-files -co --exclude-standard -z -- '*.cc' '*.h' 'quic-stacks/*.c'

help: ## shows this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo 'PYTHON=..., CXX=... and NS3=... choose the interpreter, compiler and ns-3 for the set-up.'

setup: ## makes or updates .venv, with the packages for tests and other tools
	@sh envs/setup.sh

.PHONY: for-sweeps demo
for-sweeps:
	@sh envs/setup.sh --sweeps

demo: override SWEEP := config/demo.yaml
demo: sweep ## the first minute: makes .venv for sweeps, runs config/demo.yaml, and prints its picture's path
	@echo
	@echo "picture: reports/demo.png"
	@echo "Open the report in a browser. Next, \`make sweep\` runs a larger sweep with the same set-up,"
	@echo "and \`.venv/bin/tcpsweep new my-sweep.yaml\` writes a sweep file for you to edit."

sweep: ## runs a sweep: SWEEP=config/config.yaml, ARGS="options of snakemake", such as -p to print jobs
	@sh envs/setup.sh --sweeps "$$SWEEP"
	@.venv/bin/tcpsweep sweep "$$SWEEP" $(ARGS)

# Some tests wait, for a scheduler or a signal, so there is one process more than cores.
pytest = $(one_thread) .venv/bin/python -m pytest -n $$(expr $$(nproc) + 1) --dist loadfile --no-loadscope-reorder

# PATH has only the programs that the README asks for, so that no test can need another one.
test: ## runs the tests, without those marked `long`, which need more programs or time: ARGS="options of pytest"
	@sh envs/setup.sh --tests
	@sh envs/bare_path.sh .venv/programs
	@PATH="$(CURDIR)/.venv/bin:$(CURDIR)/.venv/programs" TCPSWEEP_BARE_TESTS=1 $(pytest) -m "not long" $(ARGS)

test-all: setup ## runs all tests: ARGS="-m long" for the long ones only
	@$(in_venv) $(pytest) $(ARGS)

test-native: setup ## builds ns-3 from NS3_SOURCE=, a folder or tarball of 3.37 or 3.44, and tests its results; 10 to 20 min
	@test -n "$$NS3_SOURCE" || { echo "which source? make test-native NS3_SOURCE=FOLDER-OR-TARBALL" >&2; exit 2; }
	@$(in_venv) .venv/bin/python -m pytest -s tests/core/ns3/test_native_build.py $(ARGS)

mutations: setup ## damages sweep files, raw files, stores and archives at random, 30 min: MUTATIONS=1000, ARGS="options of pytest"
	@TCPSWEEP_MUTATIONS=$(or $(MUTATIONS),1000) $(in_venv) .venv/bin/python -m pytest tests/mutations -k "not everywhere" $(ARGS)

torture: setup ## disturbs a sweep 100 times (kills it, fills its disk, …) and compares results: MINUTES=30, ARGS="--seed 1" or "--slurm"
	@$(in_venv) .venv/bin/python -m tests.torture --minutes $(MINUTES) $(ARGS)

bench: setup ## measures ratios, 2 h: BENCH="packets overhead sem scale native windows", ARGS=--quick
	@$(in_venv) .venv/bin/python benchmarks $(BENCH) $(ARGS)

lint: lint-python lint-imports lint-types lint-rules lint-cpp lint-js lint-shell ## checks the style of all files; make -k lint goes on after a failure

lint-python: setup
	.venv/bin/ruff check
	.venv/bin/ruff format --check

lint-imports: setup
	.venv/bin/lint-imports --no-logo --no-cache

lint-types: setup
	.venv/bin/mypy

lint-rules: setup
	.venv/bin/snakefmt --check Snakefile rules
	$(in_venv) .venv/bin/python envs/lint_rules.py --configfile "$$SWEEP"

lint-cpp: setup
	$(cpp_files) | xargs -0 -r .venv/bin/clang-format --dry-run -Werror

lint-js: setup
	.venv/bin/oxlint --quiet tcpsweep
	.venv/bin/oxfmt --check 'tcpsweep/**/*.js'
	! grep -rnE '^.{121}' --include='*.js' tcpsweep

lint-shell:
	printf '%s\n' .ci/run .ci/gate $(wildcard */*.sh */*/*.sh) | xargs -n 1 bash -n

format: setup ## formats Python, rules, JavaScript and C++
	.venv/bin/ruff check --fix --exit-zero --quiet
	.venv/bin/ruff format
	.venv/bin/snakefmt Snakefile rules
	.venv/bin/oxfmt 'tcpsweep/**/*.js'
	$(cpp_files) | xargs -0 -r .venv/bin/clang-format -i

PARTS ?= demo quick-look lossy-link gallery course example-sweeps
shown: setup ## makes all numbers, tables and pictures in README and docs that come of sweeps, 30 min: PARTS="demo gallery" for some
	@.venv/bin/python docs/shown.py $(PARTS)

wheel: for-sweeps ## builds dist/tcpsweep-….whl, for `pip install` without a clone
	@rm -rf build/lib build/bdist.* dist
	@.venv/bin/python -I -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@rm -rf build/lib build/bdist.* tcpsweep.egg-info
	@ls dist/*.whl

docs: setup ## builds the documentation as an offline site, and checks its links
	@sh envs/docs.sh
	@.venv-docs/bin/sphinx-build -q -n -W --keep-going -c docs -d site/.doctrees . site
	@echo "docs: site/index.html"

lock: setup ## updates the locks in envs/ to the newest versions
	@sh envs/lock.sh
