# Everything stands in .venv, made from lock files with hashes; nothing is installed outside this folder.
# All paths are relative, so a checkout may lie under a path with spaces.

# The interpreter to make .venv with: `make test PYTHON=/path/to/python`, or else the first that serves.
PYTHON ?=
PYTHONS = python3.13 python3.12 python3.11 python3 python

BIN = .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP = $(BIN)/python -m pip --disable-pip-version-check -qq
MADE_STAMP = .venv/.made-stamp
RUN_STAMP = .venv/.run-stamp
DEV_STAMP = .venv/.dev-stamp
BENCH_STAMP = .venv/.bench-stamp
PYTEST_ARGS ?=

.PHONY: demo test deep bench lint format setup lock clean help

help:
	@echo 'make demo    set up, and play the tournament tournaments/demo.yaml to its standings'
	@echo 'make test    set up, and run the tests     (PYTEST_ARGS="tests/test_x.py -k word" for some of them)'
	@echo 'make deep    the tests with many more generated examples'
	@echo 'make bench   the benchmarks, beside OpenSpiel where it can be installed'
	@echo 'make lint    style, types, import floors'
	@echo 'make format  put the code into its style'
	@echo 'make setup   only set up .venv'
	@echo 'make lock    renew the lock files from pyproject.toml'
	@echo 'make clean   remove .venv and caches'

demo: $(RUN_STAMP)
	$(BIN)/spades run tournaments/demo.yaml

# The tests start many processes and wait for them: as many tests at a time as there are cores.
test: $(DEV_STAMP)
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

deep: $(DEV_STAMP)
	SPADES_DEEP=1 $(BIN)/python -m pytest -n auto -o faulthandler_timeout=1200 $(PYTEST_ARGS)

bench: $(BENCH_STAMP)
	$(BIN)/python -m pytest -s -o python_files='bench_*.py' $(or $(PYTEST_ARGS),tests/benchmarks)

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(MAKE) --no-print-directory -j 3 $(SYSTEMS:%=types-%)

# One file is checked as three systems, which know nothing of each other: side by side, since each takes one core.
SYSTEMS = linux darwin win32
$(SYSTEMS:%=types-%): types-%: $(DEV_STAMP)
	$(BIN)/python -m mypy --platform $* --cache-dir .mypy_cache/$*

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup: $(DEV_STAMP)

# An environment knows its folder by its full name: a checkout that was moved gets a new one.
$(MADE_STAMP): export HERE = $(CURDIR)
ifneq ("$(shell cat $(MADE_STAMP) 2>/dev/null)","$(CURDIR)")
$(MADE_STAMP): FORCE
endif
FORCE:

# A python that is found but too old, or that can't make environments, is passed over.
$(MADE_STAMP):
	@for python in $(if $(PYTHON),'$(PYTHON)',$(PYTHONS)); do \
	  if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "setting up .venv with $$("$$python" -c 'import platform; print("Python", platform.python_version())')"; \
	    "$$python" -m venv --clear .venv && echo "$$HERE" > $@; exit; \
	  fi; \
	done; \
	echo 'no Python of 3.11 or newer with its venv module found: install one (Debian: also python3-venv), or say make PYTHON=/path/to/python' >&2; exit 1

# It is compiled as a wheel is when it is installed: bots' processes write no bytecode, and each would compile the SDK.
$(RUN_STAMP): requirements.lock pyproject.toml $(MADE_STAMP)
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q harness protocol/sdk/python
	@touch $@

$(DEV_STAMP): requirements-dev.lock $(RUN_STAMP)
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

# Wheels only: what is merely compared with isn't worth a compiler. Where it has none, the rest is measured all the same.
$(BENCH_STAMP): requirements-bench.lock $(DEV_STAMP)
	@$(PIP) install --only-binary :all: --require-hashes -r requirements-bench.lock 2> .venv/bench.log && touch $@ || \
	  echo 'OpenSpiel cannot be installed for this Python: nothing is compared with it (.venv/bench.log says why)'

# One lock for every system and every Python from 3.11 on. uv only computes it, from an environment of its own.
UV = .venv/uv/$(notdir $(BIN))/uv
COMPILE = $(UV) pip compile --quiet --upgrade --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url --no-emit-find-links
lock: $(MADE_STAMP)
	$(BIN)/python -m venv .venv/uv
	.venv/uv/$(notdir $(BIN))/python -m pip --disable-pip-version-check --quiet install uv
	$(COMPILE) --group install pyproject.toml --output-file requirements.lock
	$(COMPILE) --group dev pyproject.toml --constraint requirements.lock --output-file requirements-dev.lock
	$(COMPILE) --group bench pyproject.toml --constraint requirements-dev.lock --output-file requirements-bench.lock

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
