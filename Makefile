# Everything that Armybuilder needs, on a machine with Python 3.11 or newer and make.
PORT ?= 8000
HOST ?= 127.0.0.1
CASES ?= 1000
SEED ?= 1
KILLS ?= 100
ROSTERS ?= 100000
SERVICE ?= pypi
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell $(name) -c 'import sys, venv; assert sys.version_info >= (3, 11); print("$(name)")' 2>/dev/null)))
NEWEST ?= $(firstword $(foreach each,python3.13 $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/3.13*/bin/python3.13),$(shell $(each) -c 'import ensurepip; print("$(each)")' 2>/dev/null)))
CORE := tests/systems/*/test_rules.py tests/core tests/store tests/web/builder/test_builder.py tests/web/http/test_matrix.py tests/api \
	--deselect tests/store/test_bundle.py::test_moving_to_postgresql_loses_nothing # ten seconds; with the oldest alone
BIN := .venv/bin
SOURCES := $(shell find fixtures rosters -name '*.json' -o -name '*.py' | grep -v __pycache__)

.PHONY: help run setup test test-database check audit format bench growth fuzz crash load attack look paper pictures worth clean database
help:
	@echo 'make run       start it at http://$(HOST):$(PORT)/ (PORT= changes it; HOST=, this machine in its network)'
	@echo 'make test      all tests, with a browser and PostgreSQL'
	@echo 'make test-database  the tests of the store on PostgreSQL'
	@echo 'make test-newest  all but the browser tests, with Python 3.13 and the newest Django (NEWEST_TESTS= picks some)'
	@echo 'make test-newest-core  the tests of rules, documents, store and pages of these'
	@echo 'make check     lint, formatting (of style sheets too), layers, types'
	@echo 'make audit     the pinned dependencies against known advisories; needs the network (SERVICE=osv asks another)'
	@echo 'make bench     benchmarks, into build/bench.json'
	@echo 'make growth    times and queries by size of roster and database, into docs/performance.md (ROSTERS=)'
	@echo 'make fuzz      random input to sheets, API, forms and uploads, and the worst rosters, into build/fuzz.json (CASES= of each, SEED=)'
	@echo 'make crash     kill -9 of workers during writes, into build/crash.json (KILLS=, SEED=)'
	@echo 'make load      a load test on a large database, into build/load.json (ROSTERS=, SEED=)'
	@echo 'make attack    slow clients, worst documents and other cheap attacks, into build/attack.json (PARTS= picks some; needs nginx, caddy, wrk)'
	@echo 'make look      measures of the look, each beside its goal'
	@echo 'make paper     measures of print on every sheet of every sample and of hostile rosters'
	@echo 'make worth     price against worth in every game, into fixtures/worth.json and docs/worth.md; ten minutes'
	@echo 'make pictures  every page as PNG, into build/pictures/'
	@echo 'make setup     environment and database only'

run: setup
	@echo 'Armybuilder is at http://$(HOST):$(PORT)/  (stop it with Ctrl-C)'
	@$(BIN)/python manage.py worker --with-parent & \
	DJANGO_RUNSERVER_HIDE_WARNING=true ALLOWED_HOSTS="$${ALLOWED_HOSTS:-localhost,127.0.0.1,[::1],$(HOST)}" exec $(BIN)/python manage.py runserver --noreload --skip-checks $(HOST):$(PORT)

# Both take a core for some seconds, side by side.
setup: .venv/installed
	@$(MAKE) --no-print-directory -j2 build/assets/digest database

# uv installs in seconds; where it cannot be had, pip does the same from the same file.
.venv/installed: pyproject.toml constraints.txt
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer with its venv module is needed.'; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt uv || true
	@if test -x $(BIN)/uv; then $(BIN)/uv pip install --quiet --python $(BIN)/python -r pyproject.toml --extra build -c constraints.txt; \
	else $(BIN)/pip install --quiet -c constraints.txt '.[build]' && $(BIN)/pip uninstall --quiet --yes armybuilder; fi
	@touch $@

.venv/installed-dev: .venv/installed
	@if test -x $(BIN)/uv; then $(BIN)/uv pip install --quiet --python $(BIN)/python -r pyproject.toml --extra dev -c constraints.txt; \
	else $(BIN)/pip install --quiet -c constraints.txt '.[dev]' && $(BIN)/pip uninstall --quiet --yes armybuilder; fi
	@touch $@

# Faces, the style sheet and the script, for browsers.
build/assets/digest: .venv/installed $(wildcard static/css/*.css static/js/*.js) rosters/ops/assets.py
	@$(BIN)/python -m rosters.ops.assets

# Migrated and loaded once for each state of the sources; a database of one's own is looked at every time.
database: $(if $(DATABASE_URL)$(DATA_DIR),reference,$(if $(wildcard armybuilder.sqlite3),build/loaded,reference))
build/loaded: .venv/installed $(SOURCES)
	@$(MAKE) --no-print-directory reference
.PHONY: reference
reference: .venv/installed
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py load
	@mkdir -p build && touch build/loaded

.venv/installed-bench: .venv/installed-dev
	@if test -x $(BIN)/uv; then $(BIN)/uv pip install --quiet --python $(BIN)/python -r pyproject.toml --extra dev --extra bench -c constraints.txt; \
	else $(BIN)/pip install --quiet -c constraints.txt '.[dev,bench]' && $(BIN)/pip uninstall --quiet --yes armybuilder; fi
	@touch $@

.venv/installed-audit: .venv/installed-dev
	@if test -x $(BIN)/uv; then $(BIN)/uv pip install --quiet --python $(BIN)/python -r pyproject.toml --extra dev --extra audit -c constraints.txt; \
	else $(BIN)/pip install --quiet -c constraints.txt '.[dev,audit]' && $(BIN)/pip uninstall --quiet --yes armybuilder; fi
	@touch $@

# Tests start some forty processes: bytecode is kept, even where the environment says otherwise, or each compiles all.
test test-database test-newest test-newest-core: export PYTHONDONTWRITEBYTECODE =

# What is installed for tests and the assets are made side by side.
test: .venv/installed
	@$(MAKE) --no-print-directory -j2 .venv/installed-dev build/assets/digest
	@$(BIN)/python -m tools.chromium
	$(BIN)/pytest -n 2 --dist worksteal
	@$(MAKE) --no-print-directory test-database

# Only the files that have such tests are collected.
test-database: .venv/installed-dev build/assets/digest
	$(BIN)/python -m tools.postgres $(BIN)/pytest -n 2 --dist worksteal -m database $(shell grep -rl --include='test_*.py' mark.database tests)

# A second environment, with Python 3.13 and the newest Django that the range allows; NEWEST= names the interpreter.
build/newest/installed: pyproject.toml constraints.txt | .venv/installed
	@test -n '$(NEWEST)' || { echo 'python3.13 is needed, on the PATH or from pyenv.'; exit 1; }
	test -x build/newest/bin/python || $(NEWEST) -m venv build/newest
	@if test -x $(BIN)/uv; then $(BIN)/uv pip install --quiet --python build/newest/bin/python -r pyproject.toml --extra build --extra dev -c constraints.txt; \
	else build/newest/bin/pip install --quiet -c constraints.txt '.[build,dev]' && build/newest/bin/pip uninstall --quiet --yes armybuilder; fi
	@touch $@

.PHONY: newest test-newest test-newest-core
newest:
	@echo $(NEWEST)
test-newest: build/newest/installed
	build/newest/bin/python -c 'import sys, django; print(sys.version, "Django", django.get_version()); assert django.VERSION >= (6, 1)'
	BROWSER=skip build/newest/bin/pytest -n 2 --dist worksteal $(NEWEST_TESTS)

test-newest-core:
	@$(MAKE) --no-print-directory test-newest NEWEST_TESTS='$(CORE)'

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.styles --check
	$(BIN)/lint-imports --no-logo --cache-dir build/import-linter
	$(BIN)/mypy

audit: .venv/installed-audit
	@$(BIN)/python -m tools.audit $(SERVICE)

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m tools.styles

bench: setup .venv/installed-bench
	$(BIN)/python -m tools.bench

growth: setup .venv/installed-dev
	$(BIN)/python -m tools.growth --rosters $(ROSTERS)
	$(BIN)/python -m tools.postgres $(BIN)/python -m tools.growth --rosters $(ROSTERS)

fuzz: setup .venv/installed-dev
	$(BIN)/python -m tools.fuzz --cases $(CASES) --seed $(SEED)

crash: setup .venv/installed-dev
	$(BIN)/python -m tools.crash --cases $(KILLS) --seed $(SEED)

load: setup .venv/installed-dev
	$(BIN)/python -m tools.load --rosters $(ROSTERS) --seed $(SEED)

attack: setup .venv/installed-dev
	$(BIN)/python -m tools.attack $(PARTS) --seed $(SEED)

look: setup .venv/installed-dev
	@$(BIN)/python -m tools.chromium
	$(BIN)/python -m tools.look $(PARTS)

paper: setup .venv/installed-dev
	@$(BIN)/python -m tools.paper

pictures: setup .venv/installed-dev
	@$(BIN)/python -m tools.chromium
	$(BIN)/python -m tools.pictures $(PARTS)

worth: setup .venv/installed-dev
	@$(BIN)/python -m tools.worth

clean:
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis
