# Every target sets up what it needs by itself. PYTHON=... names the interpreter.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help retrain repro repro-small protocol test test-services bad-input faults soak lint format audit sbom set-up data lock clean

DATASET ?= abalone9-18
PYTEST_FLAGS ?= --numprocesses auto --maxprocesses 4
# Service tests wait more than they compute; a file's tests share servers and runs.
SERVICES_FLAGS ?= --numprocesses 3 --dist loadfile --no-loadscope-reorder
bin := .venv/bin
dvc := PATH="$(CURDIR)/$(bin):$$PATH" $(bin)/dvc

# Where the UCI archive cannot be reached, its files come from this folder.
ifneq ($(wildcard ../shared/uci),)
export SMOOTHRANK_DATA_MIRROR ?= $(CURDIR)/../shared/uci
endif

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '  make %-13s  %s\n' "$$name" "$$text"; done

retrain: data ## validate, train, test, track and register a model (DATASET=abalone9-18)
	@$(bin)/smoothrank retrain $(DATASET)

repro: data ## run what changed of dvc.yaml: the paper's experiment, figure and report (reports/)
	@$(call with_or_without_all_data,$(dvc) repro,$(dvc) repro --single-item figure report)

repro-small: data ## the same with eight data sets, in three minutes (small/)
	@$(call with_or_without_all_data,$(dvc) repro small/dvc.yaml,$(dvc) repro --single-item small/dvc.yaml)

# With data missing, DVC would take what is there for a new state of data/ and write it to data.dvc.
define with_or_without_all_data
found=0; $(bin)/smoothrank data verify >/dev/null 2>&1 || found=$$?; \
case $$found in \
  0) $(1) ;; \
  3) echo "data sets are missing (see above); left as committed: verify, validate, split and benchmark of all 73" >&2; $(2) ;; \
  *) $(bin)/smoothrank data verify ;; \
esac
endef

protocol: data ## run the paper's experiment and compare with its tables (reports/)
	@$(bin)/python -m benchmarks.protocol

test: data ## run the tests that need no server and no browser
	@$(bin)/pytest $(PYTEST_FLAGS) -m "not services"

test-services: data ## run the tests that start Prefect, MLflow and Chromium
	@$(bin)/pytest $(SERVICES_FLAGS) -m services

bad-input: data ## run all bad files and frames through validate, retrain and predict (docs/trust.md)
	@SMOOTHRANK_BAD_INPUT=all $(bin)/pytest -s tests/trust

faults: data ## kill commands a hundred times, fill disks, damage databases, set clocks back (docs/trust.md)
	@SMOOTHRANK_FAULTS=all $(bin)/pytest --numprocesses 2 --dist loadfile -rP tests/faults

soak: data ## a hundred scheduled retrains, and what they leave behind (half an hour and more; SOAK_FLAGS='--runs 10')
	@$(bin)/python -m benchmarks.soak $(SOAK_FLAGS)

lint: set-up ## check style and types, change nothing
	@$(bin)/ruff check .
	@$(bin)/ruff format --check .
	@$(bin)/mypy

format: set-up ## format the code and mend what ruff can mend
	@$(bin)/ruff check --fix .
	@$(bin)/ruff format .

audit: set-up ## ask an advisory service about every locked package (3: it cannot be asked)
	@$(bin)/python -m scripts.audit

sbom: set-up ## write the software bill of materials of the locked packages (dist/sbom.cdx.json)
	@$(bin)/python -m scripts.sbom

set-up: ## make .venv with the locked dependencies (does nothing when it is up to date)
	@scripts/set-up.sh

data: set-up ## fetch the data sets into data/
	@$(bin)/smoothrank data fetch || [ $$? -eq 3 ] # 3: some are missing, and were named; go on with the others

lock: set-up ## renew requirements.lock from pyproject.toml
	@$(bin)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes --no-annotate --no-header pyproject.toml -o requirements.lock
	@! grep -n '://' requirements.lock

clean: ## remove .venv and every cache; the data stays
	rm -rf .venv .smoothrank .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
