# Works from a fresh clone with Python 3.11 or newer, pip and make. Each target installs what it needs into .venv, from
# the lock files, and again when a lock file has changed. `make` alone lists the targets.

.DEFAULT_GOAL := help
# Bytecode is cached even where the environment says otherwise: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
.DELETE_ON_ERROR:
.SECONDARY:

VENV := .venv
IN_VENV := $(VENV)/bin/python
# The default Python comes first, then the newest on the path.
CANDIDATES := python3 $(shell IFS=:; for folder in $$PATH; do ls "$$folder" 2>/dev/null; done \
	| grep -x 'python3\.[0-9][0-9]*' | sort -t . -k 2nr -u)
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach each,$(CANDIDATES),$(shell $(each) -c '$(IS_NEW_ENOUGH)' 2>/dev/null && echo $(each))))
# An upgrade of the system's Python leaves an environment without its packages, or without any Python.
HAS_PACKAGES := import os, sys, sysconfig; sys.exit(not os.path.isdir(sysconfig.get_path("purelib")))
IS_STALE := $(and $(wildcard $(VENV)/pyvenv.cfg),$(shell $(IN_VENV) -c '$(HAS_PACKAGES)' 2>/dev/null || echo yes))
# The environment's Python runs the pip of PYTHON, as `pip --python` does, which pip 22.3 brought. It finds no other
# package there, or it would take those of the system for installed.
FIND_PIP := import os, pip; print(os.path.dirname(os.path.dirname(pip.__file__)))
RUN_PIP := import sys; found = sys.argv.pop(1); sys.path.append(found); import pip; sys.path.remove(found); \
	from pip._internal.cli.main import main; sys.exit(main())
PIP = $(IN_VENV) -c '$(RUN_PIP)' "$$($(PYTHON) -c '$(FIND_PIP)' 2>/dev/null)" --disable-pip-version-check
PIP_LOG := $(VENV)/pip.log
# As in the bot, the environment takes precedence over .env, and the last line over others.
NEEDS_POSTGRES := $(or $(POSTGRES),$(shell { sed -n 's/^ *\(export  *\)*DATABASE_URL *=//p' .env 2>/dev/null; \
	echo "$$DATABASE_URL"; } | grep '[a-z]' | tail -n 1 | grep -o '^[^a-z]*postgres'))
# Tests wait for Chromium, other processes and drawings, so five workers fit two cores. Each file has one
# worker, so that the bots, browsers and databases that its tests share start only once; tests/conftest.py orders them.
# xdist would start a file again in which a worker was ended, and wait for the same test once more.
PARALLEL := $(if $(filter check,$(DOSE)),-q -x -n 2,-n 5) --dist loadscope --no-loadscope-reorder --max-worker-restart 0
# The doses are in tests/doses.py. Make passes variables such as KILLS on.
IN_FULL := DOSE=all $(IN_VENV) -m pytest -o faulthandler_timeout=0 -q -s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# ---- play

.PHONY: sandbox run ready compiled
sandbox: $(VENV)/sandbox.stamp compiled ## play in a simulated Discord in your browser, without an account; PORT=8270
	@$(IN_VENV) -m bot sandbox $(if $(PORT),--port $(PORT))

run: ready ## connect to Discord and play; reads the token from .env
	@$(IN_VENV) -m bot run

ready: $(VENV)/$(if $(NEEDS_POSTGRES),postgres,run).stamp compiled ## install what DATABASE_URL in .env needs, or PostgreSQL with POSTGRES=1; start nothing

# Without this, the first start takes a quarter longer, and so does every start if the checkout is read-only.
compiled: | $(IN_VENV) ## compile the source to bytecode
	@$(IN_VENV) -m compileall -q bot cogs

# ---- test

.PHONY: check test all-tests tests lint collected format texts sprites leaks evenings plants engines fit-frogs fit-pond rules-numbers solved-frogs strength heights kill-trials fleet-trials soak bench
check: ## run lint, types and the fast tests; use it while writing
	@$(MAKE) --no-print-directory --jobs=2 lint tests DOSE=check

test: ## run everything that CI runs: lint, types, and tests of all parts
	@$(MAKE) --no-print-directory --jobs=2 compiled collected
	@$(MAKE) --no-print-directory --jobs=2 lint tests

all-tests: ## run all tests in full, with whole games of every form and hundreds of kills; takes hours
	@$(MAKE) --no-print-directory test soak DOSE=all

tests: $(VENV)/dev.stamp ## run the tests of `make test` alone, DOSE=check those of `make check`
	$(IN_VENV) -m pytest $(PARALLEL)

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

leaks: $(VENV)/dev.stamp ## compare tables that differ only in hidden cards; PAIRS=1000000 pairs per game
	$(IN_FULL) tests/leaks

evenings: $(VENV)/dev.stamp ## play COUNT=40 simulated evenings, or for MINUTES=10; SEED=7 plays one again
	@$(IN_VENV) -m tests.evenings $(if $(SEED),--seed $(SEED)) \
		$(if $(MINUTES),--minutes $(MINUTES),--count $(or $(COUNT),$(if $(SEED),1,40)))

engines: $(VENV)/dev.stamp ## compare the computers' engines with the rulebooks; POSITIONS= ROUNDS= DEALS= GAMES=1000000
	$(IN_FULL) $(wildcard tests/computer/test_*_engine.py)

plants: $(VENV)/dev.stamp ## plant faults in a copy, and tell which of them the tests see; NAMES="a-turn-pings-twice"
	$(IN_VENV) -m tools.plants $(NAMES)

fit-frogs: $(VENV)/dev.stamp ## fit how the strong computer of Pond · frogs estimates positions, by GAMES=1000 games
	$(IN_VENV) -m tools.fit_frogs --games $(or $(GAMES),1000)

strength: $(VENV)/dev.stamp ## play a tournament: MATCH="pot_black strong:800 fair" MATCHES=50
	$(IN_VENV) -m benchmarks.strength $(or $(MATCH),pot_black strong:800 fair) --matches $(or $(MATCHES),50)

rules-numbers: $(VENV)/dev.stamp ## measure the numbers on the rules page of GAME=pontis anew, in GAMES=400 games of each form
	$(IN_VENV) -m benchmarks.rules_numbers $(or $(GAME),pontis) --games $(or $(GAMES),400)

solved-frogs: $(VENV)/dev.stamp ## solve Pond · frogs on 3×3 for its rules page, with EGGS=3 each and GOAL=3; takes minutes
	$(IN_VENV) -m benchmarks.solved_frogs --eggs $(or $(EGGS),3) --goal $(or $(GOAL),3)

fit-pond: $(VENV)/dev.stamp ## fit the rule of thumb of Pond · cards for PLAYERS=2 or 4, by TRIALS=500 changes
	$(IN_VENV) -m tools.fit_pond --players $(or $(PLAYERS),2) --trials $(or $(TRIALS),500)

heights: $(VENV)/dev.stamp ## measure every board and hand of whole games on a phone's screen, in a browser
	$(IN_FULL) tests/browser/test_heights.py

# With KILLS=5000, the bot on the simulated Discord is killed at every possible point. SEED= repeats a run.
kill-trials: $(VENV)/dev.stamp ## kill the bot at KILLS=1000 random moments, and look for lost or doubled moves
	$(IN_FULL) tests/kill

fleet-trials: $(VENV)/dev.stamp ## kill processes with ten shards, and PostgreSQL, KILLS=20 times; look for lost or doubled moves
	$(IN_FULL) tests/wire/test_fleet.py

soak: $(VENV)/dev.stamp ## play over HTTP and WebSocket for SOAK_S=3600 seconds, watching memory and speed
	SOAK_S=$(or $(SOAK_S),600) $(IN_FULL) tests/wire/test_soak.py

bench: $(VENV)/dev.stamp compiled ## measure speed against yardsticks of the same run; takes some minutes
	$(IN_VENV) -m benchmarks

# ---- the environment

# pip's output is shown only if it fails. It would compile on one core only; templates in packages don't compile.
$(VENV)/%.stamp: lock/%.txt $(if $(IS_STALE),$(IN_VENV)) | $(IN_VENV)
	@echo "Installing lock/$*.txt into $(VENV); the first time takes a minute."
	@$(PIP) install --no-compile --require-hashes --only-binary :all: -r $< >$(PIP_LOG) 2>&1 \
		|| { cat $(PIP_LOG) >&2; exit 1; }
	@$(IN_VENV) -m compileall -q -j 0 $(VENV)/lib >/dev/null || true
	@touch $@

# Without a pip of its own, the environment can be created even if Python comes without ensurepip. It gets one if
# Python has none that works.
.PHONY: $(if $(IS_STALE),$(IN_VENV))
$(IN_VENV):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, but none of these is: $(CANDIDATES)." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(PIP) --version >/dev/null 2>&1 || $(IN_VENV) -m ensurepip >/dev/null 2>&1 || { rm -rf $(VENV); \
		echo "$$($(PYTHON) --version) has no pip that works; on Debian and Ubuntu, install $(notdir $(PYTHON))-venv." >&2; exit 1; }

# One resolution for all platforms and all Pythons from 3.11 on. The smaller locks are subsets of the largest.
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(VENV)/uv/bin/uv pip compile --quiet $(LOCK_FLAGS) \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url pyproject.toml

.PHONY: lock upgrade-locks clean
lock: $(VENV)/uv/bin/uv ## update the lock files after a change of pyproject.toml, keeping versions that still fit
	$(COMPILE) --extra speed --extra metrics --extra postgres --extra sandbox --extra dev --output-file lock/dev.txt
	$(COMPILE) --extra speed --extra metrics --extra sandbox --constraint lock/dev.txt --output-file lock/sandbox.txt
	$(COMPILE) --extra speed --extra metrics --constraint lock/dev.txt --output-file lock/run.txt
	$(COMPILE) --extra speed --extra metrics --extra postgres --constraint lock/dev.txt --output-file lock/postgres.txt

.PHONY: release
release: $(VENV)/dev.stamp ## set the version, cut the changelog, commit and tag: VERSION=1.2.0
	@$(IN_VENV) -m tools.release "$(VERSION)"

upgrade-locks: LOCK_FLAGS := --upgrade
upgrade-locks: lock ## update the lock files to the newest versions that pyproject.toml allows

$(VENV)/uv/bin/uv: | $(IN_VENV)
	@$(PIP) install --quiet --target $(VENV)/uv uv==0.13.8

clean: ## delete .venv and all caches
	rm -rf $(VENV) *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage htmlcov
	find bot cogs tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +
