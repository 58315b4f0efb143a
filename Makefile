# Builds, tests and measures this project. `make help` lists the targets.
#
# Requires Rust (stable) and CPython 3.10 or later with pip. All other files go below this folder: Python packages into .venv*,
# build products into target/ (or CARGO_TARGET_DIR).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
TARGET := $(or $(CARGO_TARGET_DIR),target)
GYMS := 0.23.1 0.25.2 0.26.2
# A comma, which arguments of make functions cannot contain literally.
comma := ,
# With these options, pip shows its progress on a terminal only, not in logs.
PIP_OPTIONS := --disable-pip-version-check --no-input $(if $(MAKE_TERMOUT),--progress-bar on,--quiet)
# The virtual environment's interpreter, for which the extension module is checked and the wheel is built.
export PYO3_PYTHON := $(abspath $(VENV))/bin/python

MANIFESTS := $(shell git ls-files -co --exclude-standard '*/family.toml' 2>/dev/null)
SOURCES := $(shell git ls-files -co --exclude-standard Cargo.toml Cargo.lock pyproject.toml README.md src python 2>/dev/null)

.PHONY: help
help: ## lists the targets
	@grep -E '^[a-z%-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z%-]+):.*## /\1\t/' | expand -t 20

# --- environments and packages ------------------------------------------------------------------------------------------

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Installs the build tools of the wheel.
$(VENV)/.maturin: pyproject.toml tools/requirements.py $(MANIFESTS) | $(VENV)/bin/python
	$(VENV)/bin/python tools/requirements.py build-only | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	touch $@

# Installs the package's dependencies, again whenever pyproject.toml, which lists them, has changed.
$(VENV)/.build: $(VENV)/.maturin
	@echo "--- dependencies of the package, into $(VENV)"
	$(VENV)/bin/python tools/requirements.py build | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	touch $@

# Installs further packages for the demo: the Atari cartridges.
$(VENV)/.demo: $(VENV)/.build
	@echo "--- Atari's cartridges, for the demo"
	$(VENV)/bin/python tools/requirements.py atari | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	touch $@

# Installs linters, test runners, and the tests' reference packages (hundreds of megabytes).
$(VENV)/.tools: $(VENV)/.build
	@echo "--- tools and references of the tests"
	$(VENV)/bin/python tools/requirements.py build test | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	# Packages whose dependencies contradict those of others.
	$(VENV)/bin/python tools/requirements.py without-dependencies | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS) --no-deps
	touch $@

# Builds a wheel with the Cargo profile $(1), and installs it. Only one of the two wheels is installed at a time.
define build_wheel
	rm -rf $(TARGET)/wheels $(VENV)/.wheel $(VENV)/.wheel-dist
	PATH="$(abspath $(VENV))/bin:$$PATH" maturin build --profile $(1) --locked --interpreter $(VENV)/bin/python --out $(TARGET)/wheels
	rm -f $(VENV)/lib/python*/site-packages/envpool_rs_develop.pth
	$(VENV)/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	touch $@
endef

# Builds the default wheel, which compiles quickly, for CPython's stable ABI.
$(VENV)/.wheel: $(VENV)/.maturin $(SOURCES)
	@echo "--- the wheel: up to nine minutes on two cores"
	$(call build_wheel,release)

# Builds the wheel that is published and measured, with whole-program optimisation.
$(VENV)/.wheel-dist: $(VENV)/.maturin $(SOURCES)
	@echo "--- the wheel with whole-program optimisation, on one thread: some ten minutes"
	$(call build_wheel,dist)

.PHONY: wheel
wheel: $(VENV)/.build $(VENV)/.wheel ## builds the wheel into target/wheels, and installs it into .venv
	@ls $(TARGET)/wheels/*.whl

.PHONY: wheel-dist
wheel-dist: $(VENV)/.build $(VENV)/.wheel-dist ## builds and installs the published and measured wheel, with whole-program optimisation
	@ls $(TARGET)/wheels/*.whl

.PHONY: develop
develop: $(VENV)/.build ## builds incrementally with little optimisation, and links python/envpool_rs into .venv: for tests during development
	PATH="$(abspath $(VENV))/bin:$$PATH" VIRTUAL_ENV=$(abspath $(VENV)) maturin develop --profile quick --locked --skip-install
	@rm -f $(VENV)/.wheel $(VENV)/.wheel-dist
	$(VENV)/bin/pip uninstall --quiet --yes envpool_rs 2>/dev/null || true
	@echo $(abspath python) > $$($(VENV)/bin/python -c "import site; print(site.getsitepackages()[0])")/envpool_rs_develop.pth

.PHONY: sdist
sdist: $(VENV)/.build ## builds the source distribution into target/sdist
	PATH="$(abspath $(VENV))/bin:$$PATH" maturin sdist --out $(TARGET)/sdist

# --- usage --------------------------------------------------------------------------------------------------------------

# Makes the targets $(2) under the title $(1), and prints the elapsed time.
stage = start=$$SECONDS; echo "--- $(1)"; $(MAKE) --no-print-directory $(2); echo "    done in $$((SECONDS - start)) s"

.PHONY: demo
demo: ## installs the demo's packages into .venv, builds the wheel, and runs the demo
	@echo "The first demo compiles envpool_rs. 1. The wheel, and Python packages in parallel: up to nine minutes on two cores."
	@echo "2. Eight tasks, 10 seconds. Further demos start with the second stage."
	@$(call stage,1 of 2: the wheel$(comma) and meanwhile Python packages,-j 2 $(VENV)/.wheel $(VENV)/.demo)
	@echo "--- 2 of 2: steps per second"
	@$(VENV)/bin/python -m envpool_rs demo

.PHONY: bench
bench: $(VENV)/.tools $(VENV)/.wheel-dist ## measures against EnvPool and gymnasium; fills docs/cart_pole_speed.md, docs/benchmarks.md and docs/benchmark.png
	$(VENV)/bin/python tools/requirements.py bench | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	$(VENV)/bin/python benches/python bench CartPole-v1 --threads 2 --peers envpool,gymnasium-vector,gymnasium-sync \
		--json docs/benchmark.json --markdown docs/cart_pole_speed.md --plot docs/benchmark.png
	$(VENV)/bin/python benches/python bench Pendulum-v1 MountainCar-v0 MountainCarContinuous-v0 Acrobot-v1 FrozenLake-v1 \
		CliffWalking-v1 Blackjack-v1 Taxi-v3 NChain-v0 Catch-v0 --num-envs 1024 --async none --threads 2 --peers envpool \
		--markdown docs/benchmarks.md

bench-%: $(VENV)/.tools $(VENV)/.wheel-dist ## measures a family against its peers, as its manifest says; fills its page: bench-atari
	$(VENV)/bin/python tools/requirements.py bench | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	$(VENV)/bin/python tools/families.py bench $*

# The benchmarks' peers have a separate virtual environment, because they depend on torch.
.venv-bench/.tools: $(VENV)/.build
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(VENV)/bin/python tools/requirements.py bench-python | xargs -d '\n' $(@D)/bin/pip install $(PIP_OPTIONS)
	touch $@

.PHONY: bench-python
bench-python: .venv-bench/.tools $(VENV)/.wheel-dist ## measures Python environments against gymnasium, Tianshou and SB3; fills docs/benchmarks.md
	.venv-bench/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	.venv-bench/bin/python benches/python bench-python --json docs/benchmark_python.json --markdown docs/benchmarks.md

# Folder of PufferLib's source distribution from PyPI (60 MB), whose C environments are tested and measured as plugins.
PUFFERLIB := $(TARGET)/sources/pufferlib-3.0.0
$(PUFFERLIB): | $(VENV)/.build
	$(VENV)/bin/python tools/fetch_pufferlib.py $@

.PHONY: pufferlib-sources
pufferlib-sources: $(PUFFERLIB) ## downloads PufferLib's source distribution into target/sources

.PHONY: bench-plugins
bench-plugins: $(VENV)/.tools $(VENV)/.wheel-dist $(PUFFERLIB) ## measures CartPole in C, Rust and Numba libraries against EnvPool and PufferLib
	$(VENV)/bin/python tools/requirements.py bench | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	$(VENV)/bin/pip install $(PIP_OPTIONS) numba
	$(VENV)/bin/python benches/python bench-plugins

.PHONY: bench-training
bench-training: .venv-consumers/.wheel ## trains by PPO with four projects' environments until a goal; fills docs/benchmarks.md and docs/training.png
	.venv-consumers/bin/pip install $(PIP_OPTIONS) "envpool==1.2.*" imageio "matplotlib>=3.8"
	rm -f $(TARGET)/training.jsonl
	.venv-consumers/bin/python benches/python train --tasks CartPole-v1 HalfCheetah-v4 \
		--json $(TARGET)/training.jsonl --markdown docs/benchmarks.md \
		--plot docs/training.png

# Files of families for examples and other projects' programs, in a folder of their own: TorchRL cannot be imported if it
# finds some of these packages without their dependencies.
FILES := $(TARGET)/files
$(FILES): .venv-consumers/.tools
	$(VENV)/bin/python tools/requirements.py programs | xargs -d '\n' .venv-consumers/bin/pip install $(PIP_OPTIONS) --no-deps --target $@

.PHONY: coinrun
coinrun: .venv-consumers/.wheel $(FILES) ## trains coinrun on 200 levels (hours without a GPU); writes docs/coinrun.csv and its curve docs/coinrun.png
	.venv-consumers/bin/pip install $(PIP_OPTIONS) "matplotlib>=3.8"
	PYTHONPATH=$(FILES) .venv-consumers/bin/python examples/ppo_levels.py --csv docs/coinrun.csv --csv-every 10
	.venv-consumers/bin/python examples/plot_training.py docs/coinrun.csv docs/coinrun.png

.PHONY: pong
pong: .venv-consumers/.wheel ## trains Pong for most of an hour; writes docs/pong.csv and its learning curve docs/pong.png
	.venv-consumers/bin/pip install $(PIP_OPTIONS) "matplotlib>=3.8"
	.venv-consumers/bin/python examples/ppo_atari.py --csv docs/pong.csv --csv-every 20
	.venv-consumers/bin/python examples/plot_training.py docs/pong.csv docs/pong.png

# Targets that fill pages and compare with references run every instance of parametrised tests; `make test` runs a few of each.
exactness parity-%: export ENVPOOL_RS_ALL_TESTS := 1

# --- checks -------------------------------------------------------------------------------------------------------------

# Compiles Rust while Python packages are downloaded.
.PHONY: lint-rust-and-tools
lint-rust-and-tools:
	@$(MAKE) --no-print-directory -j 2 lint-rust $(VENV)/.tools

.PHONY: test
test: lint-rust-and-tools lint-python lint-workflows test-rust test-python ## runs lints, Rust tests, and a few instances of each Python test on the installed wheel

.PHONY: test-all
test-all: lint-rust-and-tools lint-rustdoc lint-python lint-workflows test-rust test-python-all test-mujoco-newest test-mujoco-needs ## runs every instance of each Python test, also with the newest mujoco; CI runs it

.PHONY: lint
lint: lint-rust lint-rustdoc lint-python lint-workflows ## checks formatting, lints, types, stubs and workflows

.PHONY: lint-rust
lint-rust: $(VENV)/.build
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings

.PHONY: lint-rustdoc
lint-rustdoc:
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

.PHONY: lint-python
lint-python: $(VENV)/.tools $(VENV)/.wheel
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	cd tools && ../$(VENV)/bin/python -m mypy.stubtest --allowlist stubtest_allowlist.txt --ignore-disjoint-bases envpool_rs._core

.PHONY: lint-workflows
lint-workflows: $(VENV)/.tools
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(VENV)/bin/zizmor --offline --no-progress .github/workflows

.PHONY: test-rust
test-rust:
	if cargo nextest --version >/dev/null 2>&1; then \
		cargo nextest run --locked --lib --tests --examples --no-fail-fast; \
	else \
		cargo test --locked --lib --tests --examples; \
	fi
	cargo test --locked --doc

# Number of pytest's worker processes; with 0, one process runs all tests.
PYTEST_WORKERS ?= auto

.PHONY: test-python
test-python: $(VENV)/.tools $(VENV)/.wheel
	# A crash of a worker ends the run: pytest-xdist, which would replace the worker, may then wait forever.
	# Backtraces are disabled: tests provoke thousands of panics, whose backtraces would take memory that a test measures.
	RUST_BACKTRACE=0 $(VENV)/bin/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile --max-worker-restart 0

.PHONY: test-python-all
test-python-all: export ENVPOOL_RS_ALL_TESTS = 1
test-python-all: test-python

.PHONY: test-smoke
test-smoke: $(VENV)/.wheel ## steps the wheel's tasks in a virtual environment with nothing but the wheel
	rm -rf .venv-bare
	$(PYTHON) -m venv .venv-bare
	.venv-bare/bin/pip install $(PIP_OPTIONS) $(TARGET)/wheels/*.whl
	.venv-bare/bin/python tools/smoke.py

.PHONY: test-legacy-gym
test-legacy-gym: $(GYMS:%=test-gym-%) ## tests the gym interface with gym 0.23, 0.25 and 0.26, and numpy 1

.PHONY: $(GYMS:%=test-gym-%)
$(GYMS:%=test-gym-%): test-gym-%: .venv-gym-%/.wheel
	.venv-gym-$*/bin/python -m pytest tests/python/facades/test_gym_facade.py tests/python/facades/test_legacy_loop.py \
		tests/python/facades/test_legacy_gym_envs.py tests/python/multi_env
	.venv-gym-$*/bin/python -m pytest tests/python/vector/test_vector_env_family*.py -k dummy

.PRECIOUS: .venv-gym-%/.tools
.venv-gym-%/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	# The last setuptools that accepts the version requirements in gym's setup.py.
	$(@D)/bin/pip install $(PIP_OPTIONS) "setuptools<66" "wheel<0.40"
	$(@D)/bin/pip install $(PIP_OPTIONS) --no-build-isolation "gym==$*" pygame "numpy<2" "gymnasium>=1.2,<1.5" "pytest>=8"
	touch $@

.PRECIOUS: .venv-gym-%/.wheel
.venv-gym-%/.wheel: .venv-gym-%/.tools $(VENV)/.wheel
	$(@D)/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	touch $@

# RLlib has a separate virtual environment, because it pins a version of gymnasium.
.PHONY: test-ray
test-ray: .venv-ray/.wheel ## tests RLlib's environments with RLlib, and Ray's actors on this machine
	.venv-ray/bin/python -m pytest tests/ray tests/python/rllib

.PRECIOUS: .venv-ray/.tools
.venv-ray/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install $(PIP_OPTIONS) "ray[rllib]==2.60.*" "pytest>=8" "dm-env>=1.5" "mujoco>=3.6" "numba>=0.68"
	$(VENV)/bin/python tools/requirements.py programs | xargs -d '\n' $(@D)/bin/pip install $(PIP_OPTIONS) --no-deps
	touch $@

.PRECIOUS: .venv-ray/.wheel
.venv-ray/.wheel: .venv-ray/.tools $(VENV)/.wheel
	$(@D)/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	touch $@

.PHONY: test-ocean
test-ocean: $(VENV)/.tools $(VENV)/.wheel $(PUFFERLIB) ## plays PufferLib's Breakout as a plugin, and compares it with the original
	$(VENV)/bin/python -m pytest tests/python/plugins/test_plugin_ocean.py

.PHONY: test-atari
test-atari: $(VENV)/.tools ## compares the Atari console with ALE's on all games, for a minute
	cargo build --locked --example atari_trace
	$(VENV)/bin/python tools/atari/compare.py quick --binary $(TARGET)/debug/examples/atari_trace

.PHONY: speed-atari
SPEED_FRAMES ?= 20000
SPEED_GAMES ?= *
speed-atari: $(VENV)/.tools ## measures the Atari console's frames per second on one core, with all frames drawn, two of four, and two of sixty; SPEED_GAMES=pong for one game
	cargo build --locked --release --no-default-features --features atari,translate --example atari_speed
	cd "$$($(VENV)/bin/python -c 'import ale_py.roms as roms; print(roms.__path__[0])')" && \
		ls $(SPEED_GAMES).bin | grep -vE '^(combat|joust|maze_craze|warlords)\.bin$$' | xargs $(abspath $(TARGET))/release/examples/atari_speed $(SPEED_FRAMES)

.PHONY: exact-atari
exact-atari: $(VENV)/.tools ## compares the Atari console with ALE's for half an hour: every mode and difficulty, thousands of frames, all variants
	cargo build --locked --release --no-default-features --features atari,translate --example atari_trace
	$(VENV)/bin/python tools/atari/compare.py full --binary $(TARGET)/release/examples/atari_trace --table $(TARGET)/atari.md

# Number of frames for which each Atari game runs.
TRANSLATION_FRAMES ?= 20000
.PHONY: exact-atari-translation
exact-atari-translation: $(VENV)/.tools ## compares all games translated and interpreted, TRANSLATION_FRAMES each, and measures the speed
	cargo run --locked --release --no-default-features --features atari,translate --example atari_translation games $(TRANSLATION_FRAMES) \
		$$($(VENV)/bin/python -c "import ale_py, pathlib; print(pathlib.Path(ale_py.__file__).parent / 'roms')")

# Tests with training libraries. They depend on torch, and therefore have a separate virtual environment. Two of them
# need legacy gym, which would change this package's gym interface for the others. These two have a second virtual
# environment, based on the first.
.PHONY: test-consumers
test-consumers: .venv-consumers/.wheel .venv-consumers-gym/.tools $(FILES) ## tests trainers (Stable-Baselines3, Tianshou, TorchRL, skrl, ...) at their own releases, without skips
	ENVPOOL_RS_ALL_CONSUMERS=1 .venv-consumers/bin/python -m pytest tests/consumers $(GYM_CONSUMERS:%=--ignore=%)
	ENVPOOL_RS_ALL_CONSUMERS=1 .venv-consumers-gym/bin/python -m pytest $(GYM_CONSUMERS)
	PYTHONPATH=$(FILES) .venv-consumers/bin/python -m pytest tests/consumers/test_ppo_levels.py
	.venv-consumers/bin/python -m pytest tests/python/vector/test_vector_wrappers.py tests/python/xla/test_xla_wrappers.py

# Checkouts of Gymnasium and Stable-Baselines3 with their tests, which their PyPI packages omit. Users may set the
# variables to other checkouts.
GYMNASIUM_CHECKOUT ?= $(TARGET)/checkouts/gymnasium
SB3_CHECKOUT ?= $(TARGET)/checkouts/stable-baselines3

$(TARGET)/checkouts/gymnasium:
	git clone --quiet --depth 1 --branch v1.4.0 https://github.com/Farama-Foundation/Gymnasium $@

$(TARGET)/checkouts/stable-baselines3:
	git clone --quiet --depth 1 --branch v2.9.2 https://github.com/DLR-RM/stable-baselines3 $@

.PHONY: test-gymnasium-suite
test-gymnasium-suite: .venv-consumers/.wheel $(GYMNASIUM_CHECKOUT) ## runs Gymnasium's own tests of vector environments, with only the maker replaced
	.venv-consumers/bin/pip install $(PIP_OPTIONS) "gymnasium[box2d,classic-control,mujoco,other,toy-text]==1.4.*"
	.venv-consumers/bin/python tests/consumers/gymnasium_suite.py $(GYMNASIUM_CHECKOUT)

.PHONY: test-sb3-suite
test-sb3-suite: .venv-consumers/.wheel $(SB3_CHECKOUT) ## runs Stable-Baselines3's own tests of vector environments, with only the maker replaced
	.venv-consumers/bin/pip install $(PIP_OPTIONS) "gymnasium[classic-control,other]==1.4.*"
	.venv-consumers/bin/python tests/consumers/stable_baselines3_suite.py $(SB3_CHECKOUT)

GYM_CONSUMERS := tests/consumers/test_torchrl.py tests/consumers/test_pufferlib.py

.PRECIOUS: .venv-consumers/.tools
.venv-consumers/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install $(PIP_OPTIONS) "gymnasium==1.4.*" "numpy>=2" "pytest>=8" "dm-env>=1.5" "cloudpickle>=1.2" \
		"mpe2>=1.1" "ale-py>=0.12.1" "mujoco>=3.17,<4" "dm_control>=1.0.50" array-api-compat opencv-python-headless "jax>=0.6" \
		"stable-baselines3==2.9.*" "sb3-contrib==2.9.*" "tianshou==2.0.*" "torchrl==0.14.*" treevalue "skrl==2.1.*" "rl_games==1.6.*"
	# Sample-Factory is installed without dependencies: it pins gymnasium below 1.0 and numpy below 2, but runs with newer
	# versions.
	$(@D)/bin/pip install $(PIP_OPTIONS) --no-deps "sample-factory==2.1.*"
	$(@D)/bin/pip install $(PIP_OPTIONS) colorlog faster-fifo "huggingface-hub<1" signal-slot-mp tensorboardX threadpoolctl wandb
	touch $@

.PRECIOUS: .venv-consumers/.wheel
.venv-consumers/.wheel: .venv-consumers/.tools $(VENV)/.wheel
	$(@D)/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	touch $@

.venv-consumers-gym/.tools: .venv-consumers/.tools
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	.venv-consumers/bin/python -c "import site; print(site.getsitepackages()[0])" \
		> $$($(@D)/bin/python -c "import site; print(site.getsitepackages()[0])")/consumers.pth
	# The last setuptools that accepts the version requirements in gym's setup.py.
	$(@D)/bin/pip install $(PIP_OPTIONS) "setuptools<66" "wheel<0.40" Cython
	$(@D)/bin/pip install $(PIP_OPTIONS) --no-build-isolation --no-deps "gym==0.26.2" gym-notices
	# PufferLib is built without its C environments, because their sources are not on PyPI. The variable for that,
	# NO_OCEAN, needs a name that PufferLib's setup.py does not define and that pufferlib_build adds. The path is absolute,
	# because pip builds in another folder.
	PYTHONPATH=$(CURDIR)/tests/consumers/pufferlib_build NO_OCEAN=1 NO_TRAIN=1 \
		$(@D)/bin/pip install $(PIP_OPTIONS) --no-build-isolation --no-deps "pufferlib==3.0.0"
	touch $@

# Tests with other projects' repositories, EnvPool's releases, and old releases of jax and gym. They take gigabytes
# below $(TARGET)/programs.
.PHONY: programs
PROGRAMS ?=
programs: .venv-consumers/.wheel $(FILES) ## runs other projects' programs on this package and on EnvPool; fills docs/programs.md
	PYTHONPATH=$(abspath $(FILES)) .venv-consumers/bin/python tests/consumers/programs.py $(TARGET)/programs $(PROGRAMS) --markdown docs/programs.md

# --- dependencies -------------------------------------------------------------------------------------------------------

CARGO_DENY := $(TARGET)/tools/bin/cargo-deny

# cargo-deny is built without optimisation, because compiling it takes far longer than its checks.
$(CARGO_DENY):
	CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --debug --locked cargo-deny --version 0.20.2 --root $(TARGET)/tools

.PHONY: deny
deny: $(CARGO_DENY) ## checks licences, sources and duplicate versions of all crates by deny.toml
	$(CARGO_DENY) --locked check licenses bans sources

.PHONY: advisories
advisories: $(CARGO_DENY) $(VENV)/.build ## checks crates and Python packages for known vulnerabilities (needs github.com and pypi.org)
	$(CARGO_DENY) --locked check advisories
	$(VENV)/bin/pip install $(PIP_OPTIONS) pip-audit
	$(VENV)/bin/python tools/requirements.py > $(TARGET)/requirements.txt
	$(VENV)/bin/pip-audit --requirement $(TARGET)/requirements.txt

# --- documentation ------------------------------------------------------------------------------------------------------

$(VENV)/.docs: $(VENV)/.tools $(VENV)/.wheel
	$(VENV)/bin/python tools/requirements.py docs | xargs -d '\n' $(VENV)/bin/pip install $(PIP_OPTIONS)
	touch $@

.PHONY: docs
docs: $(VENV)/.docs ## builds the site into target/docs; every warning is an error
	$(VENV)/bin/python docs/site/family_pages.py --check
	cargo doc --locked --no-deps
	rm -rf $(TARGET)/docs
	$(VENV)/bin/sphinx-build --fail-on-warning --keep-going --quiet -c docs/site . $(TARGET)/docs
	cp -r $(TARGET)/doc $(TARGET)/docs/rust
	test -f $(TARGET)/docs/rust/envpool_rs/index.html
	@echo "$(TARGET)/docs/index.html"

.PHONY: docs-tables
docs-tables: $(VENV)/.tools $(VENV)/.wheel ## writes the tables of spaces and options into docs/environments
	$(VENV)/bin/python docs/site/family_pages.py

.PHONY: signatures
signatures: $(VENV)/.tools $(VENV)/.wheel ## writes signatures and docstrings with each task's options into python/envpool_rs/_make
	$(VENV)/bin/python tools/signatures.py

.PHONY: families
families: ## writes Cargo features, the registry, extras and package data from the manifests of families, src/envs/**/family.toml
	$(PYTHON) tools/families.py

.PHONY: docs-pictures
docs-pictures: $(VENV)/.tools $(VENV)/.wheel ## renders docs/environments/pictures, and plots the figures of docs/atari.md and docs/benchmarks.md
	$(VENV)/bin/pip install $(PIP_OPTIONS) pillow matplotlib
	$(VENV)/bin/python docs/site/family_pictures.py
	$(VENV)/bin/python docs/site/plots.py

.PHONY: exactness
exactness: $(VENV)/.tools $(VENV)/.wheel ## compares every task with its reference over many steps; fills docs/exactness.md
	cargo build --locked --release --no-default-features --features atari,translate --example atari_trace
	$(VENV)/bin/python tools/atari/compare.py full --binary $(TARGET)/release/examples/atari_trace --json $(TARGET)/consoles.json
	# The manifests of families name the tests and the numbers of steps.
	$(VENV)/bin/python tools/families.py exactness --parity-json $(abspath $(TARGET))/parity.json
	$(VENV)/bin/python tools/exactness.py $(TARGET)/parity.json $(TARGET)/consoles.json

# --- further checks, with special tools --------------------------------------------------------------------------------

.PHONY: loom
loom: ## model-checks the ring, requests and the ledger of lanes: every interleaving of a few threads
	# loom runs with optimisation, because it tries millions of interleavings.
	RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$(TARGET)/loom cargo test --locked --release --package envpool_rs_engine --lib -- loom

# Target triple of sanitizer builds, which need an explicit `--target`.
SANITIZED := x86_64-unknown-linux-gnu

.PHONY: address-sanitizer
address-sanitizer: ## runs the engine's tests with every memory access checked
	# Tests request more memory than exists. The allocation must then fail, instead of the sanitizer ending the process.
	ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0 RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=$(TARGET)/address cargo test --locked \
		--package envpool_rs_engine --target $(SANITIZED)

.PHONY: thread-sanitizer
thread-sanitizer: ## runs the engine's tests with every memory access checked for races; needs nightly Rust with rust-src
	RUSTFLAGS="-Zsanitizer=thread" CARGO_TARGET_DIR=$(TARGET)/thread cargo +nightly test --locked -Zbuild-std \
		--package envpool_rs_engine --target $(SANITIZED)

.PHONY: miri
miri: ## runs the engine's tests without system calls (guards, rows, locks) under Miri; needs nightly Rust with miri
	CARGO_TARGET_DIR=$(TARGET)/miri MIRIFLAGS="-Zmiri-disable-isolation" cargo +nightly miri test --locked --package envpool_rs_engine --lib -- \
		contract::row play::lanes play::episodes results:: pool::ledger threads::exclusive threads::until_left threads::owned_mutex

.PHONY: test-portable
test-portable: ## tests the transport between processes as systems other than Linux build it; compiles the stub of the recompiler
	RUSTFLAGS="--cfg portable" CARGO_TARGET_DIR=$(TARGET)/portable cargo test --locked --package envpool_rs_transport --lib
	RUSTFLAGS="--cfg portable" CARGO_TARGET_DIR=$(TARGET)/portable cargo test --locked --package envpool_rs_transport --test transport
	cargo check --locked --package envpool_rs_sim_atari --no-default-features

.PHONY: fuzz
FUZZ_SECONDS ?= 60
fuzz: ## feeds damaged snapshots to pools (needs a nightly toolchain and cargo-fuzz)
	cargo +nightly fuzz run set_state -- -max_total_time=$(FUZZ_SECONDS)

.PHONY: fuzz-atari
fuzz-atari: ## runs cartridges of noise and damaged snapshots on the Atari console, translated and interpreted, with checked arithmetic
	cargo run --locked --example atari_noise $(FUZZ_SECONDS)
	cargo run --locked --example atari_translation noise $(FUZZ_SECONDS)

.PHONY: fuzz-atari-translation
fuzz-atari-translation: ## searches for cartridges that are translated wrongly (needs a nightly toolchain and cargo-fuzz)
	cargo +nightly fuzz run atari_translation -- -max_total_time=$(FUZZ_SECONDS)

# Tests for aarch64 under qemu-user. docs/atari.md lists the required packages; RUSTC may name another compiler.
AARCH64_FRAMES ?= 300
.PHONY: test-atari-aarch64
test-atari-aarch64: export CARGO_BUILD_TARGET = aarch64-unknown-linux-gnu
test-atari-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER = aarch64-linux-gnu-gcc
test-atari-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER = qemu-aarch64-static -L /usr/aarch64-linux-gnu
test-atari-aarch64: $(VENV)/.tools ## compares Atari's machine code for aarch64 with the interpreter, under qemu-user: tests, noise, damaged snapshots, all games
	cargo test --locked --test atari_translation
	cargo run --locked --example atari_noise $(FUZZ_SECONDS)
	cargo run --locked --example atari_translation noise $(FUZZ_SECONDS)
	cargo run --locked --example atari_translation games $(AARCH64_FRAMES) \
		$$($(VENV)/bin/python -c "import ale_py, pathlib; print(pathlib.Path(ale_py.__file__).parent / 'roms')")

# EnvPool has a separate virtual environment, because it takes hundreds of megabytes.
.venv-atari/.tools: $(VENV)/.build
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(VENV)/bin/python tools/requirements.py test | xargs -d '\n' $(@D)/bin/pip install $(PIP_OPTIONS) envpool==1.2.5
	touch $@

.PHONY: parity-atari
ATARI_STEPS ?= 2000
parity-atari: .venv-atari/.tools $(VENV)/.wheel ## compares all games and options with ale-py's environments and EnvPool, ATARI_STEPS steps each
	.venv-atari/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	ATARI_STEPS=$(ATARI_STEPS) .venv-atari/bin/python -m pytest tests/python/atari/test_atari_ale.py
	.venv-atari/bin/python tools/atari/envpool_runs.py compare $(ATARI_STEPS)

.PHONY: parity-mujoco
MUJOCO_STEPS ?= 5000
parity-mujoco: $(VENV)/.tools $(VENV)/.wheel ## compares all robots and options with gymnasium's, MUJOCO_STEPS steps each
	$(VENV)/bin/python -m envpool_rs mujoco-library $(TARGET)/mujoco_layout.txt
	ENVPOOL_RS_MUJOCO=$(abspath $(TARGET))/mujoco_layout.txt cargo test --locked --package envpool_rs_sim_mujoco --package envpool_rs_envs_mujoco --lib
	ENVPOOL_RS_MUJOCO=$(abspath $(TARGET))/mujoco_layout.txt cargo test --locked --example own_robot
	MUJOCO_STEPS=$(MUJOCO_STEPS) $(VENV)/bin/python -m pytest tests/python/mujoco/test_mujoco_gymnasium.py

exact-%: $(VENV)/.tools $(VENV)/.wheel ## compares a family with its reference over many steps, as its manifest says: exact-minigrid
	$(VENV)/bin/python tools/families.py exact $*

.PHONY: parity-box2d
BOX2D_STEPS ?= 2000
BOX2D_SEEDS ?= 200
parity-box2d: $(VENV)/.tools $(VENV)/.wheel ## compares Box2D environments and their options with gymnasium's, BOX2D_SEEDS seeds each, BOX2D_STEPS steps each
	$(VENV)/bin/pip install $(PIP_OPTIONS) box2d==2.3.10 pygame-ce
	BOX2D_STEPS=$(BOX2D_STEPS) BOX2D_SEEDS=$(BOX2D_SEEDS) $(VENV)/bin/python -m pytest -s tests/python/box2d/test_box2d.py tests/python/box2d/test_box2d_pictures.py

.PHONY: parity-dm-control
METAWORLD_STEPS ?= 500
.PHONY: parity-metaworld
parity-metaworld: $(VENV)/.tools $(VENV)/.wheel ## compares all tasks and benchmarks of MetaWorld with the package metaworld, METAWORLD_STEPS steps of each episode
	METAWORLD_ALL=1 METAWORLD_STEPS=$(METAWORLD_STEPS) $(VENV)/bin/python -m pytest --all-instances tests/python/metaworld/test_metaworld.py tests/python/metaworld/test_metaworld_benchmarks.py

DM_CONTROL_STEPS ?= 5000
parity-dm-control: $(VENV)/.tools $(VENV)/.wheel ## compares all tasks of dm_control's suite and their options with dm_control, DM_CONTROL_STEPS steps each
	DM_CONTROL_STEPS=$(DM_CONTROL_STEPS) $(VENV)/bin/python -m pytest tests/python/dm_control/test_mujoco_dm_control.py

.PHONY: parity-minigrid
MINIGRID_SEEDS ?= 200
MINIGRID_EPISODES ?= 5
parity-minigrid: $(VENV)/.tools $(VENV)/.wheel ## compares all levels with minigrid's, MINIGRID_SEEDS seeds, MINIGRID_EPISODES episodes each; takes hours
	MINIGRID_SEEDS=$(MINIGRID_SEEDS) MINIGRID_EPISODES=$(MINIGRID_EPISODES) PYTHONPATH=tests/python/shared:tools $(VENV)/bin/python tests/python/minigrid/minigrid_play.py

# Versions of dm_control that support the versions of mujoco with which `parity-mujoco-%` runs. No dm_control supports
# mujoco 4.0.0.
DM_CONTROL_ON_3.6.0 = dm_control==1.0.38
.PRECIOUS: .venv-mujoco-%/.tools
.venv-mujoco-%/.tools: $(VENV)/.build
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(VENV)/bin/python tools/requirements.py test | grep -v "^mujoco\|^dm_control" | xargs -d '\n' $(@D)/bin/pip install $(PIP_OPTIONS) mujoco==$* $(DM_CONTROL_ON_$*)
	touch $@

parity-mujoco-%: .venv-mujoco-%/.tools $(VENV)/.wheel ## compares robots, dm_control's suite and mazes on another mujoco: parity-mujoco-3.6.0, parity-mujoco-4.0.0
	.venv-mujoco-$*/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	MUJOCO_STEPS=$(MUJOCO_STEPS) DM_CONTROL_STEPS=$(DM_CONTROL_STEPS) .venv-mujoco-$*/bin/python -m pytest \
		tests/python/mujoco/test_mujoco_gymnasium.py tests/python/dm_control/test_mujoco_dm_control.py tests/python/robotics/test_mujoco_maze.py \
		tests/python/robotics/test_mujoco_fetch.py tests/python/robotics/test_mujoco_hands.py tests/python/robotics/test_mujoco_adroit_resets.py \
		tests/python/robotics/test_mujoco_kitchen.py

# Creates a virtual environment with EnvPool, EnvPool's assets, and the vizdoom package.
.venv-vizdoom/.tools: $(VENV)/.build
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(VENV)/bin/python tools/requirements.py test | xargs -d '\n' $(@D)/bin/pip install $(PIP_OPTIONS) envpool==1.2.5 envpool-assets 'vizdoom>=1.3.2,<1.4'
	touch $@

.PHONY: parity-vizdoom
VIZDOOM_STEPS ?= 700
parity-vizdoom: .venv-vizdoom/.tools $(VENV)/.wheel ## compares all ViZDoom tasks and options with EnvPool and ViZDoom's package, VIZDOOM_STEPS steps each
	.venv-vizdoom/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	VIZDOOM_STEPS=$(VIZDOOM_STEPS) .venv-vizdoom/bin/python -m pytest tests/python/vizdoom/test_vizdoom_gymnasium.py
	.venv-vizdoom/bin/python tools/doom/envpool_runs.py compare $(VIZDOOM_STEPS)
	.venv-vizdoom/bin/python tools/doom/parity.py --write $(TARGET)/vizdoom_parity.txt

# Versions of mujoco whose step function this package reimplements. The test suite uses the last version that dm_control
# supports, not the newest.
MUJOCO_VERSIONS := 3.5.0 3.6.0 3.7.0 3.8.0 3.8.1 3.9.0 3.10.0 3.11.0 3.12.0 3.13.0 3.14.0 3.15.0 3.16.0 3.17.0 4.0.0
NATIVE_MUJOCO ?= 3.6.0
NATIVE_VENV := .venv-native-$(NATIVE_MUJOCO)

.PRECIOUS: .venv-native-%/.tools
.venv-native-%/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install $(PIP_OPTIONS) "gymnasium==1.4.*" "numpy>=2" "pytest>=8" "dm-env>=1.5" "imageio>=2.14.1" "mujoco==$*"
	touch $@

.PRECIOUS: .venv-native-%/.wheel
.venv-native-%/.wheel: .venv-native-%/.tools $(VENV)/.wheel
	$(@D)/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	$(@D)/bin/python -m envpool_rs mujoco-library $(@D)/layout.txt
	touch $@

# Environment variables with which the Rust tests find the layout of MuJoCo's library, and the models.
beside_library = ENVPOOL_RS_MUJOCO=$(abspath $(NATIVE_VENV))/layout.txt \
	ENVPOOL_RS_MUJOCO_MODELS=$$($(NATIVE_VENV)/bin/python -c "import gymnasium; print(gymnasium.__path__[0])")/envs/mujoco/assets

.PHONY: test-mujoco-native
test-mujoco-native: $(NATIVE_VENV)/.wheel ## compares this package's own steps with those of mujoco NATIVE_MUJOCO, for a minute
	$(beside_library) cargo test --locked --package envpool_rs_sim_mujoco --lib
	$(NATIVE_VENV)/bin/python -m pytest tests/python/mujoco/test_mujoco_native.py tests/python/mujoco/test_mujoco_gymnasium.py tests/python/mujoco/test_mujoco_signatures.py

# Tests with the version of mujoco that `pip install mujoco` installs.
.PHONY: test-mujoco-newest
test-mujoco-newest: ## runs test-mujoco-native with the newest of MUJOCO_VERSIONS
	$(MAKE) test-mujoco-native NATIVE_MUJOCO=$(lastword $(MUJOCO_VERSIONS))

.PHONY: test-mujoco-versions
test-mujoco-versions: ## runs test-mujoco-native with each of MUJOCO_VERSIONS; continues after failures
	failed=""; for version in $(MUJOCO_VERSIONS); do \
		$(MAKE) test-mujoco-native NATIVE_MUJOCO=$$version || failed="$$failed $$version"; \
	done; \
	test -z "$$failed" || { echo "failed on mujoco$$failed" >&2; exit 1; }

# Tests with the test suite's version of mujoco, because dm_control does not support the newest version.
.PHONY: test-mujoco-needs
test-mujoco-needs: $(VENV)/.tools $(VENV)/.wheel ## checks that robots and dm_control's domains read only the fields that they have declared
	$(VENV)/bin/python -m envpool_rs mujoco-library $(TARGET)/mujoco_layout.txt
	ENVPOOL_RS_MUJOCO=$(abspath $(TARGET))/mujoco_layout.txt \
	ENVPOOL_RS_MUJOCO_MODELS=$$($(VENV)/bin/python -c "import gymnasium; print(gymnasium.__path__[0])")/envs/mujoco/assets \
	ENVPOOL_RS_SUITE=$$($(VENV)/bin/python -c "import importlib.util as util; print(util.find_spec('dm_control').submodule_search_locations[0])")/suite \
	ENVPOOL_RS_PYTHON=$(abspath $(VENV))/bin/python cargo test --locked --test mujoco_needs

.PHONY: fuzz-mujoco
FUZZ_MODELS ?= 3000
FUZZ_SEED ?= 0
FUZZ_JOBS ?= 2
fuzz-mujoco: $(NATIVE_VENV)/.wheel ## steps FUZZ_MODELS random models by this package and by mujoco NATIVE_MUJOCO, and compares every bit
	$(NATIVE_VENV)/bin/python tools/mujoco_fuzz.py --models $(FUZZ_MODELS) --seed $(FUZZ_SEED) --jobs $(FUZZ_JOBS) \
		--out $(TARGET)/mujoco-fuzz

.PHONY: parity-mujoco-native
NATIVE_STEPS ?= 80000
parity-mujoco-native: $(NATIVE_VENV)/.wheel ## compares this package's own steps with mujoco's for an hour: NATIVE_STEPS of 13 simulations for each model, then whole pools
	$(beside_library) NATIVE_STEPS=$(NATIVE_STEPS) cargo test --locked --release --package envpool_rs_sim_mujoco --lib native -- --nocapture
	NATIVE_STEPS=2000 $(NATIVE_VENV)/bin/python -m pytest tests/python/mujoco/test_mujoco_native.py

# Creates the virtual environments of tests with other releases, which takes mostly network time.
.PHONY: environments
environments: $(GYMS:%=.venv-gym-%/.tools) .venv-ray/.tools .venv-native-$(NATIVE_MUJOCO)/.tools ## installs the virtual environments of CI's later steps

# --- golden traces ------------------------------------------------------------------------------------------------------

# Records traces from the references, at the versions that the tests name. Review every change: a difference is a finding.
.venv-golden/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install $(PIP_OPTIONS) gymnasium==1.4.0 numpy==2.4.6 mpe2==1.1.1 \
		opencv-python-headless==5.0.0.93
	touch $@

# pygame renders the references' frames. Only the targets for pictures need it.
.venv-pictures/.tools:
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install $(PIP_OPTIONS) gymnasium==1.4.0 mpe2==1.1.1 pygame-ce pillow
	touch $@

.PHONY: pictures
pictures: .venv-pictures/.tools $(VENV)/.wheel ## renders every environment next to its reference into docs/pictures.png
	.venv-pictures/bin/pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(TARGET)/wheels/*.whl
	.venv-pictures/bin/python tools/golden/pictures.py docs/pictures.png

.PHONY: golden
golden: .venv-golden/.tools ## re-records the references' traces in tests/data
	.venv-golden/bin/python tools/golden/random_streams.py
	.venv-golden/bin/python tools/golden/classic_control.py tests/data/classic_control
	.venv-golden/bin/python tools/golden/toy_text.py gymnasium
	.venv-golden/bin/python tools/golden/mpe.py
	.venv-golden/bin/python tools/golden/resize.py
	git diff --stat tests/data

.PHONY: golden-atari
golden-atari: .venv-atari/.tools ## re-records EnvPool's Atari traces in tests/data
	.venv-atari/bin/python tools/atari/envpool_runs.py record
	git diff --stat tests/data

# --- housekeeping -------------------------------------------------------------------------------------------------------

.PHONY: format
format: $(VENV)/.tools ## formats Rust and Python
	cargo fmt
	$(VENV)/bin/ruff format
	$(VENV)/bin/ruff check --fix

.PHONY: clean
clean: ## removes environments and build products
	rm -rf .venv .venv-bench .venv-golden .venv-pictures .venv-ray .venv-atari .venv-consumers .venv-consumers-gym \
		$(GYMS:%=.venv-gym-%) $(TARGET)
