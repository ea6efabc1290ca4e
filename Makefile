# Everything here runs in .venv, which is made where it is missing and brought up to date when requirements.lock
# or pyproject.toml change. GNU make 3.81, which a Mac brings, is enough.

PYTHON =
UV = uv
BIN = .venv/bin
READY = .venv/ready
GAME = end-of-atlantis
GAMES = 50000
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types bounds nojit soak mutants notebooks lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## make .venv and install what requirements.lock names (PYTHON=... chooses the Python)

demo: $(READY) ## play 100,000 games and write a report on them
	@$(BIN)/atlantis simulate end-of-atlantis --players 4 --games 100000 --seed 7 --lineup greedy --detail turns \
	  -o runs/demo --force
	@printf 'report  '; $(BIN)/atlantis report runs/demo -o runs/demo/report.html

test: $(READY) ## run the tests
	@$(BIN)/python -m pytest

lint: $(READY) ## ruff, and that no floor imports from one above it
	@$(BIN)/ruff check
	@$(BIN)/lint-imports

types: $(READY) ## mypy, strict
	@$(BIN)/mypy

bounds: $(READY) ## the kernels' tests with every array index checked
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m bounds

nojit: $(READY) ## the kernels as plain Python, overflow an error, and how much of them the tests reach
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m nojit -W error::RuntimeWarning \
	  --cov=kernels --cov-report=term

soak: $(READY) ## kernels against the oracle for GAMES games of GAME, with the table of what was reached
	@$(BIN)/python -m tests.machinery.soak --game $(GAME) --games $(GAMES)

mutants: $(READY) ## plant forty wrong rules a game, one at a time, and see whether the tests notice
	@$(BIN)/python -m tests.machinery.mutants

notebooks: $(READY) ## run the notebooks again and keep what they show
	@$(BIN)/python -m tests.machinery.notebooks

lock: ## choose versions anew within pyproject.toml and write requirements.lock (needs uv)
	@command -v $(UV) > /dev/null || { echo "make lock needs uv: pip install uv, or name it with UV=..." >&2; exit 1; }
	@$(UV) pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
	  --extra dev pyproject.toml -o requirements.lock

clean: ## remove .venv and what tools leave behind; runs/ stays
	@rm -rf .venv .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache dist *.egg-info
	@find analysis kernels sim tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A name on the PATH may be too old, may not run at all (pyenv), or may lack venv (Debian): so each is tried.
$(BIN)/python:
	@if [ -n "$(PYTHON)" ]; then set -- "$(PYTHON)"; else set -- python3.13 python3.12 python3.11 python3; fi; \
	new=; able=; \
	for python do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || continue; \
	  new=$${new:-$$python}; \
	  if "$$python" -c 'import ensurepip, venv' 2> /dev/null; then able=$$python; break; fi; \
	done; \
	if [ -z "$$new" ]; then \
	  echo "This needs Python 3.11 or newer, and none of these is: $$*. Name yours with: make setup PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	elif [ -z "$$able" ]; then \
	  package=$$("$$new" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	  echo "$$new comes without venv. On Debian and Ubuntu: apt install python3-venv (or $$package)" >&2; \
	  exit 1; \
	fi; \
	echo "making .venv with $$("$$able" --version)"; \
	"$$able" -m venv --clear .venv

$(READY): requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing what requirements.lock names into .venv, a minute or two"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@
