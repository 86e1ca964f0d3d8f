# `make help` lists the targets. Every target creates the environment that it needs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The package is installed in place; without this variable, setuptools shows a long warning about that.
INSTALL = PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet -e
# How many processes execute tests in parallel. Tests that start clusters wait a third of their time.
JOBS ?= 2

.PHONY: help demo lab notebooks lint test-fast test test-all test-extra docs package bench soak horovod clean \
    extra- chromium node hub-system horovod-system

help:                       ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.installed: pyproject.toml
	@echo "Installing TensorFlow and mwtutor in $(VENV) takes a minute or more, mostly for the download."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(INSTALL) '.[test]'
	touch $@

demo: $(VENV)/.installed    ## train on real digits with two workers
	cd examples && ../$(BIN)/mwtutor launch 2 main.py

# Tests that start no TensorFlow process keep their files in memory.
test-fast: $(VENV)/.installed   ## every unit test that starts no TensorFlow; COVERAGE=yes: which lines they do not reach
	TMPDIR=/dev/shm $(BIN)/python -m pytest tests/unit -m 'not tensorflow' -n logical \
	    $(if $(COVERAGE),--cov=mwtutor --cov-report=term:skip-covered)

test: $(VENV)/.installed    ## test each promise of README once, and run the unit tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

# Tests that need only what pip installs. `make test-extra WHAT=course` tests the lessons' checks under sabotage.
ALL = not extra and not recorded
test-all: $(VENV)/.installed    ## every test that needs only what pip installs; AFTER=test: those that `make test` left out
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m '$(if $(AFTER),full and )$(ALL)'

EXTRA = bridges course old keras3-oldest browser lab hub slurm ray horovod jax gpu nbgrader otter
test-extra: extra-$(WHAT)   ## WHAT=bridges, course, old, keras3-oldest, browser, lab, hub, slurm, ray, horovod, jax, gpu, nbgrader or otter
extra-:
	@echo "make test-extra needs WHAT: one of $(EXTRA). CONTRIBUTING.md says what each does." >&2; exit 1

extra-bridges: $(VENV)/.installed
	$(BIN)/python -m pytest -m bridges -n $(JOBS) --dist loadfile

extra-course: $(VENV)/.installed
	$(BIN)/python -m pytest tests/course --ignore tests/course/test_unchanged.py -m 'not browser' -n $(JOBS) --dist loadfile

$(VENV)/.browser: $(VENV)/.installed
	$(INSTALL) '.[browser]'
	touch $@

chromium:
	@for name in "$$MWTUTOR_CHROMIUM" chromium chromium-browser google-chrome; do \
	    if command -v "$$name" >/dev/null; then exit 0; fi; done; \
	echo "These tests open notebooks in Chromium, which this machine does not have." \
	    "Install it (Debian: apt-get install chromium) or name one: MWTUTOR_CHROMIUM=PATH." >&2; exit 1

extra-slurm: $(VENV)/.installed
	$(BIN)/python -m pytest -m slurm tests/e2e/test_slurm.py

$(VENV)/.ray: $(VENV)/.installed
	$(INSTALL) '.[ray]'
	touch $@

extra-ray: $(VENV)/.ray
	$(BIN)/python -m pytest -m ray tests/e2e/test_ray.py

$(VENV)/.jax: $(VENV)/.installed
	$(INSTALL) '.[jax]'
	touch $@

extra-jax: $(VENV)/.jax
	$(BIN)/python -m pytest -m jax tests/e2e/test_jax.py
	$(BIN)/python -m pytest -m 'not browser' -k '23' tests/course/test_check_cells.py tests/course/test_solved.py

# The browser tests examine the built site.
SITE = build/docs/html/index.html
$(SITE):
	$(MAKE) docs

# These tests store their pictures in build/screenshots.
extra-browser: chromium $(VENV)/.browser $(SITE)
	$(BIN)/python -m pytest -m browser tests/browser --durations=5

node:
	@command -v npm >/dev/null || { echo "This needs npm, which this machine does not have." \
	    "Install it (Debian: apt-get install npm)." >&2; exit 1; }

extra-lab: node chromium $(VENV)/.browser
	$(BIN)/python -m pytest -m lab tests/browser/test_side_panel.py --durations=5

# The hub has its own environment, which also contains its proxy. Version 4 runs on Node.js 18.
.venv-hub/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-hub
	.venv-hub/bin/python -m pip install --quiet --upgrade pip
	PYTHONWARNINGS=ignore .venv-hub/bin/python -m pip install --quiet -e '.[lab,test]' \
	    'jupyterhub>=5' jupyterhub-idle-culler 'playwright>=1.48'
	npm install --no-fund --no-audit --loglevel=error --prefix .venv-hub configurable-http-proxy@4
	touch $@

hub-system:
	@[ "$$(id -u)" = 0 ] || { echo "This test makes accounts, which only root can do." \
	    "Run it as root, on a machine for tests." >&2; exit 1; }

extra-hub: hub-system node chromium .venv-hub/.installed
	.venv-hub/bin/python -m pytest -m browser tests/hub

# A grader runs the learners' notebooks in its own environment.
extra-nbgrader extra-otter: extra-%: .venv-%/.installed
	.venv-$*/bin/python -m pytest -m $* tests/e2e/test_$*.py

.venv-nbgrader/.installed .venv-otter/.installed: .venv-%/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --upgrade pip
	PYTHONWARNINGS=ignore .venv-$*/bin/python -m pip install --quiet -e '.[test]' $(if $(filter otter,$*),'otter-grader>=7','nbgrader>=0.9.5')
	touch $@

# Without an NVIDIA GPU, extra-gpu reports which tests it skipped.
$(VENV)/.gpu: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet 'tensorflow[and-cuda]'
	touch $@

extra-gpu: $(VENV)/.gpu
	$(BIN)/python benchmarks/gpu.py --json benchmarks/results/gpu.json

$(VENV)/.lab: $(VENV)/.installed
	$(INSTALL) '.[lab]'
	touch $@

# The environment comes first on PATH, so !mwtutor, !pip and %tensorboard in a notebook use it.
lab: $(VENV)/.lab           ## open the notebooks in JupyterLab; LAB_ARGS are its arguments
	@if [ "$$(id -u)" = 0 ] && ! echo " $(LAB_ARGS) " | grep -q -e ' --allow-root[ =]'; then \
	    echo "JupyterLab refuses to run as root, because anyone who can reach it would be root here." \
	        "Use another account, or accept that: make lab LAB_ARGS=--allow-root" >&2; exit 1; fi
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m jupyterlab notebooks $(LAB_ARGS)

$(VENV)/.lint: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group lint
	touch $@

lint: $(VENV)/.lint         ## ruff, mypy, the order of the subpackages, the workflows, and words to avoid
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/python scripts/check_words.py

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

docs: $(VENV)/.docs         ## build the site in build/docs/html; warnings and broken links are errors
	$(BIN)/python -m sphinx -q -W --keep-going -E -c docs -d build/docs/doctrees . build/docs/html
	$(BIN)/python scripts/check_links.py build/docs/html
	@echo "The site: build/docs/html/index.html"

$(VENV)/.package: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group package
	touch $@

package: $(VENV)/.package   ## build, check and try wheel and sdist in dist/; WITH=dependencies: install what the wheel needs
	$(BIN)/python scripts/check_package.py $(addprefix --,$(WITH))

# cells: compared with ipyparallel. exchange: 11 MB of gradients, with and without kept memory.
# peers: every alternative, in turn; 15 minutes or more, a few with ARGS=--quick.
WHAT_BENCH = $(or $(WHAT),launch)
bench: bench-$(WHAT_BENCH)  ## compare with the plain recipe; WHAT=cells, exchange or peers: other comparisons; classroom, lesson: a class
bench-launch bench-exchange bench-classroom bench-lesson: bench-%: $(VENV)/.installed
	$(BIN)/python benchmarks/$*.py --json benchmarks/results/$*.json $(ARGS)

bench-cells: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet 'ipyparallel>=9'
	$(BIN)/python benchmarks/cells.py --json benchmarks/results/cells.json $(ARGS)

# The alternatives have their own environment. multi_process_runner imports the last three packages.
.venv-peers/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --upgrade pip
	.venv-peers/bin/python -m pip install --quiet -e . 'ray[train]>=2.40' 'ipyparallel>=9' dill tblib portpicker
	touch $@

bench-peers: .venv-peers/.installed
	.venv-peers/bin/python benchmarks/peers --json benchmarks/results/peers.json \
	    --figure docs/explanation/growth.svg $(ARGS)

soak: $(VENV)/.installed    ## inject hundreds of faults, and show what was left behind; about an hour
	$(BIN)/python benchmarks/faults.py --json benchmarks/results/faults.json
	$(BIN)/python benchmarks/mixed_faults.py --json benchmarks/results/mixed_faults.json
	$(BIN)/python benchmarks/records.py --json benchmarks/results/records.json

notebooks: $(VENV)/.lab      ## execute the notebooks, or NOTEBOOKS=13_horovod, and store their outputs
	$(BIN)/python scripts/run_notebooks.py notebooks $(NOTEBOOKS)

# TensorFlow 2.15, the oldest supported version, needs an older Python and older versions of a few packages. Most of
# what pip installs is never imported there, so pip does not compile it. nbval executes lesson 00.
OLD_PYTHON ?= python3.11
extra-old: .venv-old/.installed
	.venv-old/bin/python -m pytest tests/e2e/test_launch.py tests/parity tests/bridges tests/course/test_unchanged.py \
	    'tests/course/test_untouched.py::test_a_notebook_runs_and_its_checks_hold[00]' \
	    --deselect 'tests/course/test_unchanged.py::test_a_lesson_as_it_is_stored[00]' \
	    -m '(course or not extra) and not recorded' -k 'not 3workers' -n $(JOBS) --dist loadfile

.venv-old/.installed: pyproject.toml constraints-tf215.txt
	$(OLD_PYTHON) -m venv .venv-old
	.venv-old/bin/python -m pip install --quiet --upgrade pip
	.venv-old/bin/python -m pip install --quiet --no-compile -e '.[test]' -c constraints-tf215.txt
	touch $@

# The oldest Keras 3 that the bridge supports, with the oldest TensorFlow that has Keras 3.
OLDEST_KERAS3_PYTHON ?= python3.10
extra-keras3-oldest: .venv-keras3-oldest/.installed
	.venv-keras3-oldest/bin/python -m pytest -m 'bridges and not recorded' tests/parity \
	    -k '(keras3 or keras_3) and not 3workers' -n $(JOBS) --dist loadfile

.venv-keras3-oldest/.installed: pyproject.toml constraints-keras3-oldest.txt
	$(OLDEST_KERAS3_PYTHON) -m venv .venv-keras3-oldest
	.venv-keras3-oldest/bin/python -m pip install --quiet --upgrade pip
	.venv-keras3-oldest/bin/python -m pip install --quiet --no-compile -e '.[test]' -c constraints-keras3-oldest.txt
	touch $@

# Horovod is compiled against the TensorFlow in its environment: 5 to 20 minutes, once.
HOROVOD_PYTHON ?= $(firstword $(shell command -v $(OLD_PYTHON) || \
    ls $(HOME)/.pyenv/versions/3.11.*/bin/python 2>/dev/null) $(OLD_PYTHON))
HOROVOD = .venv-horovod
horovod: $(HOROVOD)/.installed    ## create an environment with Horovod: Gloo, MPI, TensorFlow 2.15

horovod-system:
	@missing=; need() { command -v "$$1" >/dev/null || { missing=yes; \
	    echo "Compiling Horovod needs $$1, which is not installed." \
	        "Install it (Debian: apt-get install $$2)." >&2; }; }; \
	need $(HOROVOD_PYTHON) python3.11-dev; need make make; need cmake cmake; need g++ g++; \
	need mpicxx libopenmpi-dev; need mpirun openmpi-bin; [ -z "$$missing" ]

$(HOROVOD)/.installed: constraints-horovod.txt | horovod-system
	$(HOROVOD_PYTHON) -m venv $(HOROVOD)
	$(HOROVOD)/bin/python -m pip install --quiet --upgrade pip
	$(HOROVOD)/bin/python -m pip install --quiet tensorflow setuptools wheel -c constraints-horovod.txt
	PATH="$(abspath $(HOROVOD)/bin):$$PATH" MAKEFLAGS=-j$$(nproc) \
	    HOROVOD_WITH_TENSORFLOW=1 HOROVOD_WITH_GLOO=1 HOROVOD_WITH_MPI=1 \
	    HOROVOD_WITHOUT_PYTORCH=1 HOROVOD_WITHOUT_MXNET=1 \
	    $(HOROVOD)/bin/python -m pip install --no-build-isolation --no-cache-dir \
	    horovod==0.28.1 -c constraints-horovod.txt
	touch $@

extra-horovod: horovod $(VENV)/.installed
	MWTUTOR_HOROVOD="$(abspath $(HOROVOD)/bin/python)" $(BIN)/python -m pytest \
	    -m 'not browser' -k 'horovod or 13- or solutions or hold' --durations=5 tests/e2e/test_horovod.py \
	    'tests/course/test_solved.py::test_a_lesson_with_its_solutions[13]' \
	    'tests/course/test_untouched.py::test_a_notebook_runs_and_its_checks_hold[13]' \
	    tests/course/test_exercises.py tests/course/test_check_cells.py

clean:                      ## remove the environments
	rm -rf .venv .venv-old .venv-keras3-oldest .venv-horovod .venv-hub .venv-nbgrader .venv-otter .venv-peers lab/node_modules
