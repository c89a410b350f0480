# Everything a new clone needs: `make demo`, `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo install test check lock clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed  ## run the whole pipeline on the embedded sample and show the metrics
	@$(BIN)/gazeline demo

install: $(VENV)/.installed  ## create .venv with everything the pipeline needs

$(VENV)/.installed: requirements/base.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Gazeline needs Python 3.11 or newer; $$($(PYTHON) --version) is at hand: make PYTHON=python3.11 demo"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (once, some minutes)…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/base.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed requirements/test.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/test.lock
	@touch $@

test: $(VENV)/.installed-test  ## lint, types and every test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadfile -m "slow or not slow" --durations 15

check: $(VENV)/.installed-test  ## lint, types and the fast tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadfile

lock:  ## write requirements/*.lock from pyproject.toml in a throw-away environment
	$(PYTHON) requirements/make_lock.py

clean:  ## remove the environment and caches, never data
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
