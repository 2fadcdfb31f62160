# Set up, run and test. Every target works from a clean clone; Python 3.11 or newer is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= site-eval-demo

.PHONY: demo inspect test soak-ci soak lint types floors constraints reference docs clean

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

# A file of tests stays on one core, so that what a module sets up is set up once.
test: $(VENV)/installed-dev lint types floors
	$(BIN)/python -m pytest -q -n auto --dist loadfile

# The inspection app under killing: about six minutes on two cores.
soak-ci: $(VENV)/installed-dev
	SOAK_ITEMS=50 SOAK_PHONES=20 SOAK_KILLS=60 $(BIN)/python -m pytest -q tests/inspect/test_kill.py
	$(BIN)/python benchmarks/inspect_soak.py --items 60 --phones 2 --server-kills 12 --browser-kills 20

# The same, ten times as long: expect more than an hour.
soak: $(VENV)/installed-dev
	SOAK_ITEMS=500 SOAK_PHONES=20 SOAK_KILLS=500 $(BIN)/python -m pytest -q tests/inspect/test_kill.py
	$(BIN)/python benchmarks/inspect_soak.py --items 600 --phones 20 --server-kills 120 --browser-kills 200

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

# The documentation as a site in build/site; a broken link ends it. (--quiet would hide what --strict counts.)
docs: $(VENV)/installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
