# Everything here works from a fresh clone with Python 3.11 or newer, pip and make: each target sets up what it needs
# in .venv, from the lock, and does so again only when the lock has changed.

.PHONY: help sandbox run ready compiled test check leaks format lock upgrade clean
.DELETE_ON_ERROR:
.SECONDARY:

VENV := .venv
IN_VENV := $(VENV)/bin/python
CANDIDATES := python3 python3.13 python3.12 python3.11
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach each,$(CANDIDATES),$(shell $(each) -c '$(IS_NEW_ENOUGH)' 2>/dev/null && echo $(each))))
PIP = $(PYTHON) -m pip --disable-pip-version-check --python $(IN_VENV)
QUICK_TESTS := tests --ignore=tests/discord --ignore=tests/kill --ignore=tests/leaks --ignore=tests/browser --ignore=tests/test_sandbox.py

help:
	@echo "make sandbox   play in a simulated Discord in the browser: no account, no token, no network"
	@echo "make run       connect to Discord and play; the token is read from .env"
	@echo "make ready     what running needs is set up, and nothing started"
	@echo "make compiled  the program is compiled, for a quick start where it may not write"
	@echo "make test      everything that must hold: lint, types, all tests"
	@echo "make check     the fast part of it, for use while writing"
	@echo "make leaks     compare tables that differ only in cards a player can't know; PAIRS=1000000 pairs of each game"
	@echo "make bench     how quick everything is, each against a yardstick of the same run; takes some minutes"
	@echo "make kill-trials  kills the bot at random moments, KILLS=1000 times, and looks for what is lost or doubled"
	@echo "make soak      an hour of tables over HTTP and WebSocket: does the bot grow, or slow down? SOAK_S=600 for ten minutes"
	@echo "make format    put the source in its form"
	@echo "make lock      write the lock anew from pyproject.toml, keeping the versions that still fit"
	@echo "make upgrade   as lock, with the newest versions that pyproject.toml allows"
	@echo "make clean     remove .venv and all caches"

sandbox: $(VENV)/sandbox.stamp compiled
	@$(IN_VENV) -m bot sandbox

run: ready
	@$(IN_VENV) -m bot run

ready: $(VENV)/run.stamp compiled

# A start takes a quarter longer where the program has to be compiled, and where it may not write it does so each time.
compiled: | $(IN_VENV)
	@$(IN_VENV) -m compileall -q bot cogs

test: lint compiled
	$(IN_VENV) -m pytest

check: lint
	$(IN_VENV) -m pytest -q -x $(QUICK_TESTS)

leaks: $(VENV)/dev.stamp
	PAIRS=$(or $(PAIRS),10000) $(IN_VENV) -m pytest -q tests/leaks

# So many kills hit a process that plays at full speed, and so many cuts a bot on a simulated Discord, in all four games;
# with KILLS=5000 it is cut at every point there is. SEED= does it again.
.PHONY: kill-trials
kill-trials: $(VENV)/dev.stamp
	KILLS=$(or $(KILLS),100) SEED=$(SEED) $(IN_VENV) -m pytest -q -s tests/kill

.PHONY: soak
soak: $(VENV)/dev.stamp
	SOAK_S=$(or $(SOAK_S),3600) $(IN_VENV) -m pytest -q -s tests/wire/test_soak.py

.PHONY: lint
lint: $(VENV)/dev.stamp
	$(IN_VENV) -m ruff check
	$(IN_VENV) -m ruff format --check
	$(IN_VENV) -m mypy

# OpenSpiel is there for some systems and some Pythons only; without it, what is measured against it is skipped.
bench: $(VENV)/dev.stamp compiled
	@$(PIP) install --quiet --require-hashes --only-binary :all: -r lock/bench.txt || echo "OpenSpiel can't be installed."
	$(IN_VENV) -m benchmarks

format: $(VENV)/dev.stamp
	$(IN_VENV) -m ruff check --fix
	$(IN_VENV) -m ruff format

$(VENV)/%.stamp: lock/%.txt | $(IN_VENV)
	@echo "Installing lock/$*.txt into $(VENV); this takes a minute the first time."
	@$(PIP) install --require-hashes --only-binary :all: -r $<
	@touch $@

# The environment needs no pip of its own, so it can be made where Python comes without ensurepip.
$(IN_VENV):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none of $(CANDIDATES) is." >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv --without-pip $(VENV)

# One resolution for all platforms and for every Python from 3.11 on; the smaller locks are parts of the largest.
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(VENV)/uv/bin/uv pip compile --quiet $(LOCK_FLAGS) \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url pyproject.toml

upgrade: LOCK_FLAGS := --upgrade
upgrade: lock

lock: $(VENV)/uv/bin/uv
	$(COMPILE) --extra speed --extra metrics --extra sandbox --extra dev --output-file lock/dev.txt
	$(COMPILE) --extra speed --extra metrics --extra bench --constraint lock/dev.txt --output-file lock/bench.txt
	$(COMPILE) --extra speed --extra metrics --extra sandbox --constraint lock/dev.txt --output-file lock/sandbox.txt
	$(COMPILE) --extra speed --extra metrics --constraint lock/dev.txt --output-file lock/run.txt

$(VENV)/uv/bin/uv: | $(IN_VENV)
	@$(PIP) install --quiet --target $(VENV)/uv uv==0.13.8

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage htmlcov
	find bot cogs tests -name __pycache__ -type d -prune -exec rm -rf {} +
