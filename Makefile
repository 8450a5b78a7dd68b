# pedkit: `make help` lists the verbs. Nothing here needs root; everything is installed into .venv by pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Extra arguments for pip, e.g. PIP_ARGS="--extra-index-url https://download.pytorch.org/whl/cpu"
PIP_ARGS ?=
# Size of the demo: demo (about 6 minutes on 2 cores) or short (about 75 seconds, for continuous integration).
DEMO ?= demo
# One process a core, one thread a process: the tests' models are tiny.
test test-all: export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help install demo test test-all lint format bench simulate clean

help: ## List the verbs.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install $(PIP_ARGS) --quiet --editable '.[tts,g2p,dev]'
	@touch $@

install: $(VENV)/.installed ## Create .venv and install pedkit with everything the demo and the tests need.

demo: install ## Make synthetic error speech, train on it and on real speech, evaluate, write report.html.
	$(BIN)/python -m synthetic synthetic=$(DEMO)
	$(BIN)/pedkit prepare speechocean762 --root data/speechocean762 --out runs/$(DEMO)/real/manifest.jsonl
	$(BIN)/python train.py experiment=$(DEMO)
	$(BIN)/python evaluate.py evaluation=$(DEMO)

test: install ## Run the tests (a few minutes).
	$(BIN)/python -m pytest -n auto -m "not slow"

test-all: install ## Run every test, long trainings and simulations included.
	$(BIN)/python -m pytest

lint: install ## Check style (ruff) and types (strict mypy).
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: install ## Format the code.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What bench runs; the simulation of bench/fairness_simulation.py and the trainings of bench/synthetic_evidence.py make no claim on speed.
BENCH ?= $(filter-out bench/fairness_simulation.py bench/synthetic_evidence.py,$(sort $(wildcard bench/*.py)))

bench: install ## Print every speed claim as a ratio against a peer (BENCH=bench/x.py: of one program).
	@for program in $(BENCH); do echo "== $$program"; $(BIN)/python $$program || exit 1; done

simulate: install ## Draw fair systems by simulation: how often tests and intervals of groups are wrong (15 minutes).
	$(BIN)/python bench/fairness_simulation.py

clean: ## Remove the virtual environment and all runs.
	rm -rf $(VENV) runs
