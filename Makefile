# Two commands do everything on a fresh machine: `make play` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# One more than there are cores, since some tests wait for others' processes.
WORKERS = $(shell $(BIN)/python -c 'import os; print(os.cpu_count() + 1)')

# Tests start many processes: what Python has compiled is kept, here as elsewhere.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play test check torture format pages pictures bench statistics clean help

help:
	@echo "make play    host a private table and take a seat beside two bots"
	@echo "make test    every check and every test (make check is the same)"
	@echo "make torture the long tests, about an hour of them"
	@echo "make format  rewrite the sources in the house style"
	@echo "make pages   write the pages and files in docs/ that are made"
	@echo "make pictures play and draw docs/pictures/ anew, in about a minute"
	@echo "make statistics  judge 1,100,000 shuffles, about six minutes"
	@echo "make bench   measure rounds per second against a bare server"

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

play: $(READY)
	@$(BIN)/bj-client --solo

test: check

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/coverage erase
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --cov --cov-report=
	$(BIN)/coverage report --fail-under=100

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pages: $(READY)
	$(BIN)/python -m bj_protocol.schema docs/protocol
	$(BIN)/python docs/make_houses.py
	$(BIN)/python docs/make_vectors.py

pictures: $(READY)
	$(BIN)/python docs/make_pictures.py

bench: $(READY)
	$(BIN)/python bench/table.py

statistics: $(READY)
	$(BIN)/python -m pytest -q -s -m 'torture or not torture' tests/game/test_evenness.py

torture: $(READY)
	$(BIN)/python -m pytest -q -s -m torture

clean:
	rm -rf $(VENV) dist .coverage .mypy_cache .pytest_cache .ruff_cache
