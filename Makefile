# Set up, run and test. Every target works from a clean clone; Python 3.11 or newer is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= site-eval-demo

.PHONY: demo inspect test lint types floors constraints reference clean

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

# The main job: evaluate the bundled Gem County application.
demo: $(VENV)/installed
	@$(BIN)/site-eval demo --out $(OUT); status=$$?; test $$status -le 1

# The inspection app with a throw-away database.
inspect: $(VENV)/installed
	$(BIN)/inspect-web demo

test: $(VENV)/installed-dev lint types floors
	$(BIN)/python -m pytest -q

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

floors: $(VENV)/installed-dev
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) $(OUT) build dist

# Hold the versions that the tests passed with; names and versions only.
constraints: $(VENV)/installed-dev
	$(BIN)/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9._-]+==' > constraints.txt

# The reference pages are made from the code.
reference: $(VENV)/installed-dev
	$(BIN)/python docs/make_reference.py
