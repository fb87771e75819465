# Two commands do everything on a fresh machine: `make play` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What plays is installed in PLAYABLE, and the tools of development also, in READY. The
# tool that writes mutants is in neither: MUTANTS has it, too.
PLAYABLE := $(VENV)/.playable
READY    := $(VENV)/.ready
MUTANTS  := $(VENV)/.mutants
# Other engines, beside which ours is measured, are kept away from what develops it.
BENCH    := .venv-bench
MADE     := $(VENV)/pyvenv.cfg
# Most of what is installed is never imported: Python compiles what is, when it is.
INSTALL  := -m pip install --quiet --no-compile --constraint constraints.txt
# An environment says where it was made. One that was copied with its checkout was made
# elsewhere and runs what lies there, and one whose making was broken off lacks pip:
# a new one is made in place of either.
PLACE := $(shell sed -n 's/^command = .* -m venv //p' $(MADE) 2>/dev/null)
ifneq ($(PLACE) $(wildcard $(BIN)/pip),$(CURDIR)/$(VENV) $(BIN)/pip)
.PHONY: $(MADE)
endif
OLD := Python 3.11 or newer is needed: name one, as in make PYTHON=python3.12
# Three more than there are cores, since many tests wait for other processes.
WORKERS = $(shell $(BIN)/python -c 'import os; print(os.cpu_count() + 3)')

# Tests start many processes: what Python has compiled is kept, here as elsewhere.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play test check static tests torture mutants format pages pictures bench bench-check statistics clean help

help:
	@echo "make play    host a private table and take a seat beside two bots;"
	@echo "             BJ_HOUSE=cpsc386 make play has the rules of another house"
	@echo "make test    every check and every test (make check is the same)"
	@echo "make torture the long tests as a table, up to 90 minutes; ROW=bank one row"
	@echo "make mutants break the rules and the bank, and see the tests notice:"
	@echo "             MINUTES=10 for each of both, in the order of SEED=1"
	@echo "make format  rewrite the sources in the house style"
	@echo "make pages   write the pages and files in docs/ that are made"
	@echo "make pictures play and draw docs/pictures/ anew, in about a minute"
	@echo "make statistics  judge 2,100,000 shuffles, about nine minutes"
	@echo "make bench   measure all that bench/results.md has, about half an hour;"
	@echo "             PARTS='engine starts' a part of it, which is not written"
	@echo "make bench-check  measure again, and fail where a ratio is 15 % worse"

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(OLD)"; exit 1; }
ifneq ($(filter-out $(CURDIR)/$(VENV),$(PLACE)),)
	@echo "the environment here was copied from $(PLACE): it is replaced"
endif
	@echo "first time: making an environment, about a minute"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
# The pip that came with an old Python takes twice as long to choose what fits.
	@$(BIN)/python $(INSTALL) pip

$(PLAYABLE): $(MADE) pyproject.toml constraints.txt
	@$(BIN)/python $(INSTALL) --editable .
	@touch $(PLAYABLE)

$(READY): $(MADE) pyproject.toml constraints.txt
	@echo "installing what develops and tests the game"
	@$(BIN)/python $(INSTALL) --editable '.[dev]'
	@touch $(PLAYABLE) $(READY)

$(MUTANTS): $(READY)
	@echo "installing what writes mutants"
	@$(BIN)/python $(INSTALL) --editable '.[dev,mutants]'
	@touch $(MUTANTS)

play: $(PLAYABLE)
	@BJ_HOUSE=$${BJ_HOUSE:-vegas-strip} $(BIN)/bj-client --solo || test $$? -eq 130

test: check

# mypy has one core busy for half a minute, so the tests run beside it. What it says is
# kept apart and shown last; whichever of the two fails, the other is heard to its end.
SAID := $(VENV)/static.txt
check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --keep-going --jobs=2 static tests; failed=$$?; \
	  cat $(SAID); exit $$failed

static: $(READY)
	@{ echo "$(BIN)/mypy" && $(BIN)/mypy && \
	  echo "$(BIN)/lint-imports" && $(BIN)/lint-imports; } >$(SAID) 2>&1

tests: $(READY)
	$(BIN)/coverage erase
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --cov --cov-report=
	$(BIN)/coverage report --fail-under=100

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pages: $(READY)
	$(BIN)/python docs/make_schema.py
	$(BIN)/python docs/make_houses.py
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_architecture.py
	$(BIN)/python docs/make_vectors.py

pictures: $(READY)
	$(BIN)/python docs/make_pictures.py

$(BENCH)/.ready: pyproject.toml constraints.txt
	@echo "installing the engines that are measured beside ours"
	@$(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python $(INSTALL) --editable '.[bench]'
	@touch $(BENCH)/.ready

bench: $(BENCH)/.ready
	$(BENCH)/bin/python bench/run.py $(or $(PARTS),--write)

bench-check: $(BENCH)/.ready
	$(BENCH)/bin/python bench/run.py --check $(PARTS)

statistics: $(READY)
	$(BIN)/python -m pytest -q -s -m 'torture or not torture' tests/game/test_evenness*.py

torture: $(MUTANTS)
	PYTHONPATH=tests $(BIN)/python -m torture $(ROW)

MINUTES ?= 10
SEED ?= 1
mutants: $(MUTANTS)
	PYTHONPATH=tests $(BIN)/python -m mutation rules --seed $(SEED) --minutes $(MINUTES)
	PYTHONPATH=tests $(BIN)/python -m mutation bank --seed $(SEED) --minutes $(MINUTES)

clean:
	rm -rf $(VENV) $(BENCH) dist .coverage .mypy_cache .pytest_cache .ruff_cache
