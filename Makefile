# The front door. Every target installs what is missing, builds, and does its job.

BUILD   ?= build
VENV    := $(BUILD)/venv
PYTHON  := $(VENV)/bin/python
JOBS    ?= $(shell nproc)
MODEL   ?= models/humanoid.xml
PREFIX  ?= /usr/local
VIEW_VENV := $(BUILD)/viewvenv
LEARNING_VENV := $(BUILD)/learning
SITE_VENV := $(BUILD)/site/venv

.DEFAULT_GOAL := help
.PHONY: help setup build python run install test test-all test-field test-view test-learning test-wheel wheel wheel-gpu determinism fuzz bench bench-gpu soak lint format docs docs-pictures site test-notebooks clean

help:              ## show this list
	@grep -hE '^[a-z-]+: .*##|^[a-z-]+:  *##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 14

setup:
	@tools/setup.sh

$(BUILD)/build.ninja: | setup
	cmake --preset release -B $(BUILD)

build: setup $(BUILD)/build.ninja  ## compile the library and the command line
	cmake --build $(BUILD) -j $(JOBS)

# the virtual environment holds the package itself and what its tests compare with
$(VENV)/ready: requirements-test.txt | setup
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --upgrade pip
	$(PYTHON) -m pip install --quiet -r requirements-test.txt
	$(PYTHON) -m pip install --quiet --no-deps -r requirements-models.txt
	touch $@

python: build $(VENV)/ready
	cmake $(BUILD) -DSN_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON) > /dev/null
	cmake --build $(BUILD) -j $(JOBS)

run: setup $(BUILD)/build.ninja  ## simulate the bundled humanoid (MODEL=... for another) for two seconds
	cmake --build $(BUILD) -j $(JOBS) --target sinew
	$(BUILD)/apps/sinew/sinew run $(MODEL) --time 2 --out $(BUILD)/run.csv

install: setup $(BUILD)/build.ninja  ## install libraries, headers and the command line (PREFIX=... , /usr/local)
	cmake --build $(BUILD) -j $(JOBS) --target sinew sinew_shared sinew_static sinew_mujoco_shared sinew_mujoco_static
	cmake --install $(BUILD) --prefix $(PREFIX) > /dev/null

wheel: setup       ## wheels for Linux on x86-64 and aarch64 (build/wheel/dist), without a container (ARCHS=x86_64: one)
	JOBS=$(JOBS) $(if $(ARCHS),ARCHS="$(ARCHS)") tools/wheel.sh

wheel-gpu: setup   ## the wheel with the images for NVIDIA GPUs (WHEEL_GPU_ARCHS="80 90"; all)
	GPU_ARCHS="$(WHEEL_GPU_ARCHS)" tools/gpu_wheel.sh

test: python       ## C tests (gcc and clang), a minute of damaged models under sanitizers, the comparison with MuJoCo
	ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)
	@tools/setup.sh fuzz
	tools/sanitize.sh quick
	tools/clang.sh $(BUILD)
	PYTHONPATH=$(BUILD)/python $(PYTHON) -m pytest -q -n $(JOBS) --dist loadfile -m "not full" tests

test-all: python   ## everything, long sweeps and sanitizers included
	SN_EVERY=1 ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)
	PYTHONPATH=$(BUILD)/python $(PYTHON) -m pytest -q tests
	@tools/setup.sh fuzz
	FUZZ_SECONDS=600 tools/sanitize.sh
	tools/clang.sh $(BUILD)
	tools/determinism.sh
	tests/install/check.sh $(BUILD) full
	$(MAKE) test-learning
	$(MAKE) test-notebooks
	$(MAKE) test-wheel

test-field: python ## models of packages of the field, installed from the network: compiled and stepped beside MuJoCo
	$(PYTHON) tests/field/sweep.py --build $(BUILD) $(PACKAGES)

# the viewer's tests need a browser, which the others do not: they have a virtual environment of their own
$(VIEW_VENV)/ready: requirements-view.txt | setup
	python3 -m venv $(VIEW_VENV)
	$(VIEW_VENV)/bin/pip install --quiet -r requirements-view.txt
	touch $@

test-view: python $(VIEW_VENV)/ready  ## the viewer and recordings in a real browser (chromium, which is installed)
	@tools/setup.sh view
	PYTHONPATH=$(BUILD)/python $(VIEW_VENV)/bin/python -m pytest -q tests/view

# so do those of PyTorch, JAX, stable-baselines3 and Ray, which are gigabytes
$(LEARNING_VENV)/ready: requirements-learning.txt | setup
	python3 -m venv $(LEARNING_VENV)
	$(LEARNING_VENV)/bin/pip install --quiet -r requirements-learning.txt
	touch $@

test-learning: python $(LEARNING_VENV)/ready  ## environments, derivatives and clusters under PyTorch, JAX, stable-baselines3 and Ray
	PYTHONPATH=$(BUILD)/python $(LEARNING_VENV)/bin/python -m pytest -q tests/learning

test-wheel: wheel  ## the wheels on bare systems (chroot, qemu-user), used as README and docs/ say; needs root
	tests/install/wheel.sh build/wheel/dist

determinism:       ## compilers, optimisation, libraries, processors, threads: models end in the same bits
	@tools/setup.sh fuzz
	tools/determinism.sh

fuzz: setup        ## libFuzzer on readers, assets, binary models, edits and states (MINUTES=30)
	@tools/setup.sh fuzz
	FUZZ_SECONDS=$$(( $(or $(MINUTES),30) * 60 )) JOBS=1 tools/sanitize.sh fuzzers

$(VENV)/bench: requirements-bench.txt $(VENV)/ready
	$(PYTHON) -m pip install --quiet -r requirements-bench.txt
	touch $@

bench: python $(VENV)/bench  ## speed against MuJoCo, in one run (DOC=docs/performance.md writes the page)
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/bench.py --out $(BUILD)/bench $(if $(DOC),--doc $(DOC))
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/batch.py --out $(BUILD)/bench
	cmake --build $(BUILD) -j $(JOBS) --target bench_threads
	$(BUILD)/bench_threads bench/hundred.xml $(wildcard ../shared/models/mujoco/humanoid/*_humanoids.xml)
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/collision.py --out $(BUILD)/bench
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/costs.py --out $(BUILD)/bench
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/render.py --out $(BUILD)/bench
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/envs.py --out $(BUILD)/bench

# the device compiler comes with SN_GPU_PYTHON, or is installed; images are for the card that is here
GPU_VENV  := $(CURDIR)/build-gpu/venv
GPU_ARCHS ?= $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -1 | tr -d .)

$(GPU_VENV)/ready:
	python3 -m venv $(GPU_VENV)
	$(GPU_VENV)/bin/pip install --quiet nvidia-cuda-nvrtc nvidia-nvjitlink
	touch $@

bench-gpu: setup $(if $(SN_GPU_PYTHON),,$(GPU_VENV)/ready)  ## speed on a GPU (OPTIONS: of bench/gpu.py; MODELS: compare with the CPU)
	@python3 bench/gpu.py --check
	cmake --preset release -B build-gpu -DSN_GPU=ON -DSN_TESTS=OFF $(if $(GPU_ARCHS),-DSN_GPU_ARCHS="$(GPU_ARCHS)") \
	  -DSN_GPU_PYTHON=$(or $(SN_GPU_PYTHON),$(GPU_VENV)/bin/python) > /dev/null
	cmake --build build-gpu -j $(JOBS) --target bench_gpu sinew
	$(if $(MODELS),build-gpu/bench_gpu --compare $(MODELS),python3 bench/gpu.py --sinew build-gpu/apps/sinew/sinew \
	  --bench build-gpu/bench_gpu --models build-gpu/models $(OPTIONS))

soak: python       ## long runs without bad numbers (MINUTES=30)
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/soak.py --minutes $(or $(MINUTES),30)

lint:              ## layers, sizes of files and functions, formatting
	@tools/setup.sh lint
	tools/check_layers.py
	tools/check_format.sh

format:            ## rewrite the sources in the house style
	@tools/setup.sh lint
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cc' '*.cu')

docs: python       ## rewrite the generated pages of docs/
	tools/docs.py $(BUILD)/tests/schema_page
	tools/c_api_coverage.py
	PYTHONPATH=$(BUILD)/python $(PYTHON) tools/python_coverage.py

docs-pictures: python  ## draw the pictures of README and docs/ again
	$(PYTHON) -c "import PIL" 2> /dev/null || $(PYTHON) -m pip install --quiet pillow
	PYTHONPATH=$(BUILD)/python $(PYTHON) tools/docs_pictures.py $(BUILD)/apps/sinew/sinew
	PYTHONPATH=$(BUILD)/python $(PYTHON) tools/docs_plots.py
	PYTHONPATH=$(BUILD)/python $(PYTHON) tools/docs_gallery.py

$(SITE_VENV)/ready: requirements-site.txt | setup
	python3 -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/pip install --quiet -r requirements-site.txt
	touch $@

test-notebooks: python $(SITE_VENV)/ready  ## run the notebooks of examples/, and keep their results for the site
	NOTEBOOKS_OUT=$(CURDIR)/$(BUILD)/notebooks PYTHONPATH=$(BUILD)/python $(SITE_VENV)/bin/python -m pytest -q -p no:cacheprovider tests/examples/test_notebooks.py

site: python $(SITE_VENV)/ready  ## the documentation as a site, in BUILD/site/html; dead links are errors
	rm -rf $(BUILD)/site/stubs && mkdir -p $(BUILD)/site/stubs && cp -r $(BUILD)/python/sinew $(BUILD)/site/stubs/
	$(PYTHON) tools/python_stubs.py $(BUILD)/site/stubs/sinew
	NO_MKDOCS_2_WARNING=1 $(SITE_VENV)/bin/python tools/site.py $(BUILD) $(BUILD)/site/stubs/sinew

clean:             ## remove the build folder
	rm -rf $(BUILD)
