# SPDX-License-Identifier: MIT
# The commands of tcpsweep. Each first completes .venv (envs/setup.sh), which takes no time if .venv is complete.

SWEEP ?= config/config.yaml
ARGS ?=
MINUTES ?= 30
# Leave out the studies with Linux' TCP, which need a kernel and reproduce no publication.
ifeq ($(origin STUDIES),undefined)
STUDIES := $(filter-out config/studies/linux%,$(wildcard config/studies/*.yaml))
endif
# Pass names to the recipes' shells through the environment, so that neither make nor a shell evaluates them.
override SWEEP := $(if $(filter -%,$(firstword $(value SWEEP))),./)$(value SWEEP)
override STUDIES := $(value STUDIES)
override ID := $(or $(value ID),$(value CELL))
override CELL :=
override A := $(value A)
override B := $(value B)
override VARIANT := $(value VARIANT)
override FORM := $(or $(value FORM),short)
override NS3_SOURCE := $(value NS3_SOURCE)
export SWEEP STUDIES ID A B VARIANT FORM
# Without byte code, each program that a sweep starts would compile all its modules, which takes half a second.
unexport PYTHONDONTWRITEBYTECODE
ifneq ($(value NS3_SOURCE),)
export NS3_SOURCE
endif

.DEFAULT_GOAL := help
.PHONY: help setup sweep studies compare verify archive test test-all test-native torture mutations bench cell prune clean-results clean-build clean-reports clean-logs lint lint-python lint-imports lint-types lint-rules lint-cpp lint-js lint-shell format wheel examples docs tools lock data shown dossier dossiers certificate

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
	@echo "Open reports/demo.html in a browser. Next, \`make sweep\` runs a larger sweep with the same set-up,"
	@echo "and \`.venv/bin/tcpsweep new my-sweep.yaml\` writes a sweep file for you to edit."

sweep: ## runs a sweep: SWEEP=config/config.yaml, ARGS="options of snakemake", such as -p to print jobs
	@sh envs/setup.sh --sweeps "$$SWEEP"
	@.venv/bin/tcpsweep sweep "$$SWEEP" $(ARGS)

studies: for-sweeps ## runs the published studies and prints their reports' paths; STUDIES="config/studies/quick/*.yaml" for less
	@for file in $$STUDIES; do \
		echo "$$file"; \
		.venv/bin/tcpsweep sweep "$$file" $(ARGS) || exit; \
	done

compare: for-sweeps ## compares two sweeps: A=, B= their names, folders or files; ARGS="--fail changed"
	@.venv/bin/tcpsweep compare "$$A" "$$B" $(ARGS)

dossier: for-sweeps ## tests a congestion control as RFC 9743 asks, and writes one report: VARIANT=TcpMine FORM=short (15 min) or full (a night)
	@test -n "$$VARIANT" || { echo "which congestion control? make dossier VARIANT=TcpBbr" >&2; exit 2; }
	@.venv/bin/tcpsweep dossier --form "$$FORM" -- "$$VARIANT" $(ARGS)

certificate: override SWEEP := config/certificate$(if $(QUICK),-quick).yaml
certificate: sweep ## compares ns-3's TCP, as it is and corrected, with Linux' in 30 networks, 3 h: QUICK=1 for 4 networks, 4 min
	@.venv/bin/tcpsweep certificate "$$SWEEP"

verify: for-sweeps ## checks all files of a sweep for changes and damage: SWEEP= its file, name, folder or archive
	@.venv/bin/tcpsweep verify "$$SWEEP"

archive: for-sweeps ## packs a finished sweep into one file for publication: SWEEP=, ARGS="--author NAME --licence URL"
	@.venv/bin/tcpsweep archive "$$SWEEP" $(ARGS)

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
	@$(in_venv) .venv/bin/python -m pytest -s tests/ns3/test_native_build.py $(ARGS)

mutations: setup ## damages sweep files, raw files, stores and archives at random, 30 min: MUTATIONS=1000, ARGS="options of pytest"
	@TCPSWEEP_MUTATIONS=$(or $(MUTATIONS),1000) $(in_venv) .venv/bin/python -m pytest tests/mutations -k "not everywhere" $(ARGS)

torture: setup ## disturbs a sweep 100 times (kills it, fills its disk, …) and compares results: MINUTES=30, ARGS="--seed 1" or "--slurm"
	@$(in_venv) .venv/bin/python -m tests.torture --minutes $(MINUTES) $(ARGS)

bench: setup ## measures ratios, 2 h: BENCH="packets tracing planning report overhead start rules busy sem scale native windows million", ARGS=--quick
	@$(in_venv) .venv/bin/python benchmarks $(BENCH) $(ARGS)

cell: for-sweeps ## runs one simulation and shows it: ID=its id or a unique part of it; ARGS="--pcap all --keep" reruns it with captures
	@.venv/bin/tcpsweep cell "$$ID" $(ARGS)

prune: for-sweeps ## lists simulations, files and programs that no sweep needs any more, and removes them after a yes
	@.venv/bin/tcpsweep prune

clean-results clean-build clean-reports clean-logs: clean-%: for-sweeps ## list results, builds, reports or logs, and remove them after a yes
	@.venv/bin/tcpsweep clean $*

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
	printf '%s\n' .ci/run $(wildcard */*.sh */*/*.sh) | xargs -n 1 bash -n

format: setup ## formats Python, rules, JavaScript and C++
	.venv/bin/ruff check --fix --exit-zero --quiet
	.venv/bin/ruff format
	.venv/bin/snakefmt Snakefile rules
	.venv/bin/oxfmt 'tcpsweep/**/*.js'
	$(cpp_files) | xargs -0 -r .venv/bin/clang-format -i

PARTS ?= demo quick-look lossy-link gallery course example-sweeps
shown: setup ## makes all numbers, tables and pictures in README and docs that come of sweeps, 30 min: PARTS="demo gallery" for some
	@.venv/bin/python docs/shown.py $(PARTS)

data: setup ## runs config/config.yaml and writes its means to data/, with descriptions of columns; make shown does so, too
	@.venv/bin/tcpsweep sweep config/config.yaml
	@.venv/bin/tcpsweep export quick-look --to data --tables summary

dossiers: setup ## runs the dossiers of docs/dossiers, 20 min, and copies their verdicts and figures
	@for name in TcpCubic TcpBbr; do .venv/bin/tcpsweep dossier $$name --summary docs/dossiers || exit; done

wheel: for-sweeps ## builds dist/tcpsweep-….whl, for `pip install` without a clone
	@rm -rf build/lib build/bdist.* dist
	@.venv/bin/python -I -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@rm -rf build/lib build/bdist.* tcpsweep.egg-info
	@ls dist/*.whl

examples: for-sweeps ## runs the sweeps of the site's example reports, about 40 min on two cores; then make docs
	@for name in config parking-lot pairs; do .venv/bin/tcpsweep sweep config/$$name.yaml || exit; done
	@.venv/bin/tcpsweep dossier TcpCubic

docs: setup ## builds the documentation as an offline site, and checks its links
	@sh envs/tools.sh docs
	@.venv-docs/bin/sphinx-build -q -n -W --keep-going -c docs -d site/.doctrees . site
	@echo "docs: site/index.html"

tools: setup ## installs the tools for the site, notebooks and data packages, in .venv-docs and .venv-notebooks
	@sh envs/tools.sh docs
	@sh envs/tools.sh notebooks

lock: setup ## updates the locks in envs/ to the newest versions
	@sh envs/lock.sh
