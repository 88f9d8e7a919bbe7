# Works from a fresh clone with Python 3.11 or newer, pip and make. Each target installs what it needs into .venv, from
# the lock files, and again when a lock file has changed. `make` alone lists the targets.

.DEFAULT_GOAL := help
# Bytecode is cached even where the environment says otherwise: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
.DELETE_ON_ERROR:
.SECONDARY:

VENV := .venv
IN_VENV := $(VENV)/bin/python
CANDIDATES := python3 python3.13 python3.12 python3.11
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach each,$(CANDIDATES),$(shell $(each) -c '$(IS_NEW_ENOUGH)' 2>/dev/null && echo $(each))))
# An upgrade of the system's Python leaves an environment without its packages, or without any Python.
HAS_PACKAGES := import os, sys, sysconfig; sys.exit(not os.path.isdir(sysconfig.get_path("purelib")))
IS_STALE := $(and $(wildcard $(VENV)/pyvenv.cfg),$(shell $(IN_VENV) -c '$(HAS_PACKAGES)' 2>/dev/null || echo yes))
PIP = $(PYTHON) -m pip --disable-pip-version-check --python $(IN_VENV)
PIP_LOG := $(VENV)/pip.log
# Tests wait for Chromium, other processes and drawings, so five workers fit two cores. Each file has one
# worker, so that the bots, browsers and databases that its tests share start only once; tests/conftest.py orders them.
# xdist would start a file again in which a worker was ended, and wait for the same test once more.
PARALLEL := -n 5 --dist loadscope --no-loadscope-reorder --max-worker-restart 0
UNLIMITED := -o faulthandler_timeout=0
SLOW_TESTS := tests/browser tests/computer tests/deploy tests/discord tests/kill tests/leaks tests/pictures tests/wire tests/test_sandbox.py

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# ---- play

.PHONY: sandbox run ready compiled fast
sandbox: $(VENV)/sandbox.stamp compiled ## play in a simulated Discord in your browser, without an account; PORT=8270
	@$(IN_VENV) -m bot sandbox $(if $(PORT),--port $(PORT))

run: ready ## connect to Discord and play; reads the token from .env
	@$(IN_VENV) -m bot run

ready: $(VENV)/$(if $(POSTGRES),postgres,run).stamp compiled ## install what `make run` needs, and start nothing; POSTGRES=1 adds PostgreSQL

# Once they are compiled, computers are compiled again after each update: Python doesn't import their source any more.
IS_FAST := $(wildcard lilypad__mypyc.*)

# Without this, the first start takes a quarter longer, and so does every start if the checkout is read-only.
compiled: $(if $(IS_FAST),build/fast.stamp) | $(IN_VENV) ## compile the source to bytecode
	@$(IN_VENV) -m compileall -q bot cogs

fast: build/fast.stamp ## compile the computers to machine code, which takes a minute and a C compiler; `make clean` undoes it

build/fast.stamp: $(wildcard bot/computer/*/*.py) tools/fast.py $(VENV)/dev.stamp
	@echo "Compiling the computers; this takes a minute."
	@$(IN_VENV) -m tools.fast
	@touch $@

# ---- test

.PHONY: test all-tests check lint collected format texts sprites whole-games leaks frogs-engine pond-engine pontis-engine pot-black-engine fit-frogs fit-pond strength regret heights kill-trials fleet-trials soak bench scale
test: ## run everything that CI runs: lint, types, all tests
	@$(MAKE) --no-print-directory --jobs=2 compiled collected
	@$(MAKE) --no-print-directory --jobs=2 lint all-tests

all-tests: $(VENV)/dev.stamp ## run all tests without lint and types
	$(IN_VENV) -m pytest $(PARALLEL)

check: lint ## run lint, types and the fast tests; use it while writing
	$(IN_VENV) -m pytest -q -x $(PARALLEL) tests -k "not postgres" $(addprefix --ignore=,$(SLOW_TESTS))

# Pytest rewrites and caches the assertions, which each worker would do again. It reports errors when the tests run.
collected: $(VENV)/dev.stamp ## let pytest prepare all tests once, for all workers
	@$(IN_VENV) -m pytest --collect-only -qq >/dev/null 2>&1 || true

lint: $(VENV)/dev.stamp ## run ruff and mypy
	$(IN_VENV) -m ruff check
	$(IN_VENV) -m ruff format --check
	$(IN_VENV) -m mypy

format: $(VENV)/dev.stamp ## format the source, and fix what ruff can fix
	$(IN_VENV) -m ruff check --fix
	$(IN_VENV) -m ruff format

texts: $(VENV)/dev.stamp ## extract the texts for players, update and compile the catalogues; LANGUAGE=de adds one
	$(IN_VENV) -m tools.texts $(LANGUAGE)

sprites: $(VENV)/dev.stamp ## draw sprites and emojis from the SVG files in art/, docs/images and the pictures of the rules
	$(IN_VENV) -m tools.sprites
	$(IN_VENV) -m tools.rules_pictures
	$(IN_VENV) -m tools.contact_sheet

whole-games: $(VENV)/dev.stamp ## run all tests in full, with whole games of every form; DATABASE=postgres for those on the wire
	FORMS=all DATABASE=$(DATABASE) $(IN_VENV) -m pytest $(PARALLEL)

leaks: $(VENV)/dev.stamp ## compare tables that differ only in hidden cards; PAIRS=1000000 pairs per game
	PAIRS=$(or $(PAIRS),10000) $(IN_VENV) -m pytest $(UNLIMITED) -q tests/leaks

frogs-engine: $(VENV)/dev.stamp ## compare the engine of Pond · frogs with the rulebook on POSITIONS=1000000 positions
	POSITIONS=$(or $(POSITIONS),1000000) $(IN_VENV) -m pytest $(UNLIMITED) -q tests/computer/test_frogs_engine.py

pond-engine: $(VENV)/dev.stamp ## compare the engine of Pond · cards with the rulebook on ROUNDS=1000000 rounds
	ROUNDS=$(or $(ROUNDS),1000000) $(IN_VENV) -m pytest $(UNLIMITED) -q tests/computer/test_pond_engine.py

pontis-engine: $(VENV)/dev.stamp ## compare the engine of Pontis with the rulebook in DEALS=1000000 games
	DEALS=$(or $(DEALS),1000000) $(IN_VENV) -m pytest $(UNLIMITED) -q tests/computer/test_pontis_engine.py

fit-frogs: $(VENV)/dev.stamp ## fit how the strong computer of Pond · frogs estimates positions, by GAMES=1000 games
	$(IN_VENV) -m tools.fit_frogs --games $(or $(GAMES),1000)

pot-black-engine: $(VENV)/dev.stamp ## compare the engine of Pot Black with the rulebook on GAMES=1000 games
	GAMES=$(or $(GAMES),1000) $(IN_VENV) -m pytest $(UNLIMITED) -q tests/computer/test_pot_black_engine.py

strength: $(VENV)/dev.stamp ## play a tournament: MATCH="pot_black strong:800 fair" MATCHES=50
	$(IN_VENV) -m benchmarks.strength $(or $(MATCH),pot_black strong:800 fair) --matches $(or $(MATCHES),50)

regret: $(VENV)/dev.stamp ## compare strong with its own search at 50 times the budget: GAME="pontis players=4" POSITIONS=20
	$(IN_VENV) -m benchmarks.regret $(or $(GAME),pot_black) --positions $(or $(POSITIONS),20)

fit-pond: $(VENV)/dev.stamp ## fit the rule of thumb of Pond · cards for PLAYERS=2 or 4, by TRIALS=500 changes
	$(IN_VENV) -m tools.fit_pond --players $(or $(PLAYERS),2) --trials $(or $(TRIALS),500)

heights: $(VENV)/dev.stamp ## measure every board and hand of whole games on a phone's screen, in a browser
	MOMENTS=all $(IN_VENV) -m pytest $(UNLIMITED) -q -s tests/browser/test_heights.py

# With KILLS=5000, the bot on the simulated Discord is killed at every possible point. SEED= repeats a run. After each
# kill, every button is pressed; `make test` does that after one kill in each game.
kill-trials: $(VENV)/dev.stamp ## kill the bot at KILLS=1000 random moments, and look for lost or doubled moves
	KILLS=$(or $(KILLS),100) SEED=$(SEED) $(IN_VENV) -m pytest $(UNLIMITED) -q -s tests/kill

fleet-trials: $(VENV)/dev.stamp ## kill processes with ten shards, and PostgreSQL, KILLS=20 times; look for lost or doubled moves
	KILLS=$(or $(KILLS),20) SEED=$(SEED) $(IN_VENV) -m pytest $(UNLIMITED) -q -s tests/wire/test_fleet.py

soak: $(VENV)/dev.stamp ## play over HTTP and WebSocket for SOAK_S=3600 seconds, watching memory and speed
	SOAK_S=$(or $(SOAK_S),3600) $(IN_VENV) -m pytest $(UNLIMITED) -q -s tests/wire/test_soak.py

bench: $(VENV)/dev.stamp compiled ## measure speed against yardsticks of the same run; takes some minutes
	$(IN_VENV) -m benchmarks

scale: $(VENV)/dev.stamp compiled ## predict the load of larger bots from measured costs, and check that with a small one
	$(IN_VENV) -m benchmarks.scale

# ---- the environment

# pip's output is shown only if it fails. It would compile on one core only; templates in packages don't compile.
$(VENV)/%.stamp: lock/%.txt $(if $(IS_STALE),$(IN_VENV)) | $(IN_VENV)
	@echo "Installing lock/$*.txt into $(VENV); the first time takes a minute."
	@$(PIP) install --no-compile --require-hashes --only-binary :all: -r $< >$(PIP_LOG) 2>&1 \
		|| { cat $(PIP_LOG) >&2; exit 1; }
	@$(IN_VENV) -m compileall -q -j 0 $(VENV)/lib >/dev/null || true
	@touch $@

# Without a pip of its own, the environment can be created even if Python comes without ensurepip.
.PHONY: $(if $(IS_STALE),$(IN_VENV))
$(IN_VENV):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, but none of these is: $(CANDIDATES)." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv --clear --without-pip $(VENV)

# One resolution for all platforms and all Pythons from 3.11 on. The smaller locks are subsets of the largest.
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(VENV)/uv/bin/uv pip compile --quiet $(LOCK_FLAGS) \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url pyproject.toml

.PHONY: lock upgrade-locks clean
lock: $(VENV)/uv/bin/uv ## update the lock files after a change of pyproject.toml, keeping versions that still fit
	$(COMPILE) --extra speed --extra metrics --extra postgres --extra sandbox --extra dev --output-file lock/dev.txt
	$(COMPILE) --extra speed --extra metrics --extra sandbox --constraint lock/dev.txt --output-file lock/sandbox.txt
	$(COMPILE) --extra speed --extra metrics --constraint lock/dev.txt --output-file lock/run.txt
	$(COMPILE) --extra speed --extra metrics --extra postgres --constraint lock/dev.txt --output-file lock/postgres.txt

upgrade-locks: LOCK_FLAGS := --upgrade
upgrade-locks: lock ## update the lock files to the newest versions that pyproject.toml allows

$(VENV)/uv/bin/uv: | $(IN_VENV)
	@$(PIP) install --quiet --target $(VENV)/uv uv==0.13.8

clean: ## delete .venv and all caches
	rm -rf $(VENV) build *.so *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage htmlcov
	find bot -name '*.so' -delete
	find bot cogs tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +
