# Builds and tests this project. `make help` lists the targets; noxfile.py has checks with other packages, tools and
# processors, which `.venv/bin/nox --list` lists.
#
# Requires Rust (stable) and CPython 3.10 or later with pip. All other files go below this folder: Python packages into .venv
# and .nox, build products into target/ (or CARGO_TARGET_DIR).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo wheel develop tools test test-all test-rust-core test-rust test-python lint lint-rust lint-python generate \
	docs bench clean

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
TARGET := $(or $(CARGO_TARGET_DIR),target)
# Cargo profile of the wheel: `release` compiles quickly; `dist`, with whole-program optimisation, is published and measured.
PROFILE ?= release
# Number of pytest's worker processes: one more than cores, because each waits for other processes a third of the time. With 0,
# one process runs all tests.
PYTEST_WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
WHEEL := $(VENV)/.wheel-$(PROFILE)
# Without progress bars in logs.
PIP := $(VENV)/bin/pip install --disable-pip-version-check --no-input $(if $(MAKE_TERMOUT),--progress-bar on,--quiet)
# Installs groups and extras of pyproject.toml.
install = $(VENV)/bin/python tools/requirements.py $(1) | xargs -d '\n' $(PIP)
# A comma, which arguments of make functions cannot contain literally.
, := ,
MATURIN := PATH="$(abspath $(VENV))/bin:$$PATH" VIRTUAL_ENV=$(abspath $(VENV)) maturin
# The interpreter for which the extension module is checked and built.
export PYO3_PYTHON := $(abspath $(VENV))/bin/python
# Makes the targets $(2) in parallel under the title $(1), and prints the elapsed time.
stage = start=$$SECONDS; echo "--- $(1)"; $(MAKE) --no-print-directory -j 2 $(2); echo "    done in $$((SECONDS - start)) s"

MANIFESTS := $(shell git ls-files -co --exclude-standard '*/family.toml' 2>/dev/null)
SOURCES := $(shell git ls-files -co --exclude-standard Cargo.toml Cargo.lock pyproject.toml README.md src python 2>/dev/null)

help: ## lists the targets
	@grep -E '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

# Files that mark which packages are installed: tools of the build; the demo's; tests, their references and nox; linters.
$(VENV)/.maturin: pyproject.toml tools/requirements.py $(MANIFESTS)
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(call install,build-only)
	touch $@
$(VENV)/.demo: $(VENV)/.maturin
	$(call install,build atari)
	touch $@
$(VENV)/.tools: $(VENV)/.maturin
	@echo "--- packages of the tests, hundreds of megabytes"
	$(call install,build test)
	# Packages whose dependencies contradict those of others.
	$(call install,without-dependencies) --no-deps
	touch $@
$(VENV)/.lint: $(VENV)/.tools
	$(call install,lint)
	touch $@

# Builds a wheel for CPython's stable ABI, and installs it. Only one profile's wheel is installed at a time.
$(VENV)/.wheel-%: $(VENV)/.maturin $(SOURCES)
	@echo "--- the wheel, by Cargo's profile $*: minutes on two cores"
	rm -rf $(TARGET)/wheels $(VENV)/.wheel-* $(VENV)/lib/python*/site-packages/envpool_rs_develop.pth
	$(MATURIN) build --profile $* --locked --interpreter $(VENV)/bin/python --out $(TARGET)/wheels
	$(PIP) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	touch $@

demo: ## builds the wheel (minutes), and measures eight tasks for 10 seconds
	@$(call stage,1 of 2: the wheel$(,) and meanwhile Python packages,$(WHEEL) $(VENV)/.demo)
	@echo "--- 2 of 2: steps per second"
	@$(VENV)/bin/python -m envpool_rs demo

wheel: $(VENV)/.demo $(WHEEL) ## builds the wheel into target/wheels, and installs it into .venv; PROFILE=dist: as published
	@ls $(TARGET)/wheels/*.whl

develop: $(VENV)/.tools ## builds incrementally with little optimisation, and links python/envpool_rs into .venv
	$(MATURIN) develop --profile quick --locked --skip-install
	@rm -f $(VENV)/.wheel-*
	$(VENV)/bin/pip uninstall --quiet --yes envpool_rs 2>/dev/null || true
	@echo $(abspath python) > $$($(VENV)/bin/python -c "import site; print(site.getsitepackages()[0])")/envpool_rs_develop.pth

tools: $(VENV)/.tools ## installs the packages of the tests, and nox

test: ## tests the demo's wheel and the core's Rust crates, with a few instances of each test: minutes
	@$(call stage,1 of 2: Rust tests$(,) and meanwhile Python packages,$(VENV)/.tools $(WHEEL) test-rust-core)
	@$(call stage,2 of 2: Python tests,test-python)

test-all: export ENVPOOL_RS_ALL_TESTS ?= 1
test-all: ## runs lints, all Rust tests, and every instance of each Python test
	@$(call stage,1 of 2: lints$(,) and meanwhile Rust tests,lint test-rust)
	@$(call stage,2 of 2: Python tests,test-python)

# Crates without environments. Python tests compare environments with their references; `test-all` tests all crates.
test-rust-core:
	cargo test --quiet --locked --lib --tests $(addprefix -p envpool_rs_,engine interop numeric sync transport)
test-rust:
	cargo test --quiet --locked --no-fail-fast --lib --tests --examples
	cargo test --quiet --locked --doc
# A crash of a worker ends the run: pytest-xdist, which would replace the worker, may then wait forever. Backtraces are
# disabled: tests provoke thousands of panics, whose backtraces would take memory that a test measures. A single malloc arena, because
# those of ended threads grew a worker to 3.5 GB, whose page tables each fork copies: the kernel took a fifth of the processor time.
test-python: $(VENV)/.tools $(WHEEL)
	RUST_BACKTRACE=0 MALLOC_ARENA_MAX=1 $(VENV)/bin/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal --max-worker-restart 0

lint: lint-rust lint-python ## checks formatting, lints, types, stubs, Rust's documentation, and workflows
lint-rust: $(VENV)/.maturin
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps
# The extension for a free-threaded interpreter, which need not be installed.
	PYO3_CONFIG_FILE=$(CURDIR)/tools/free_threaded.txt cargo clippy --locked -p envpool_rs_python -- -D warnings
lint-python: $(VENV)/.lint $(WHEEL)
	$(VENV)/bin/nox -s lint

generate: $(VENV)/.tools ## writes the registry, extras, signatures and tables that follow from manifests and tasks
	$(VENV)/bin/nox -s generate

docs: $(VENV)/.tools $(WHEEL) ## builds the site into target/docs; every warning is an error
	$(VENV)/bin/nox -s docs

bench: $(VENV)/.tools ## measures against EnvPool and gymnasium on a quiet machine; a family: nox -s bench -- atari
	$(VENV)/bin/nox -s bench

clean: ## removes environments and build products
	rm -rf .venv .nox $(TARGET)
