# Start with `make parse` or `make test`. Both create .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := data/sample/sample
TREEBANKS ?= ../shared/treebanks
UD ?= $(TREEBANKS)/ud-2.16
EWT ?= $(UD)/en_ewt
EXPERIMENTS := all-systems arc-eager arc-standard attardi covington swap pseudo-projective templates wrong-arc-labels
PAPER_EXPERIMENTS := non-monotonic basque annotation
PAPER_TREEBANKS := build/treebanks/papers
SHIPPED := src/gardenpath/models/shipped
EWT_DEV = --dev $(EWT)/en_ewt-ud-dev.conllu
CITE := --name "UD English-EWT 2.16" --licence "CC BY-SA 4.0" --citation "Natalia Silveira et al. 2014. A Gold Standard Dependency Corpus for English. LREC. https://universaldependencies.org/treebanks/en_ewt. Word vectors: Jeffrey Pennington et al. 2014. GloVe: Global Vectors for Word Representation. EMNLP (PDDL 1.0)."
FAST_SETTINGS := --epochs 10 --seed 2 --min-updates 10 --prune 0.6
ENGLISH := build/english-train.conllu
QUESTIONS := build/questions-train.conllu
GLOVE := build/glove.6B.100d.txt
CLUSTERS := build/glove-clusters.txt
CLUSTER_SETTINGS := --clusters 1024 --max-vectors 50000
LANGUAGES := pt_bosque fr_sequoia vi_vtb id_csui
FUZZ_SECONDS ?= 60
SANITIZED := $(CURDIR)/build/sanitize/lib
SANITIZER_LIBRARIES = $(foreach name,libasan.so libubsan.so libstdc++.so.6,$(shell $(CXX) -print-file-name=$(name)))
UNDER_SANITIZERS = env PYTHONPATH=$(SANITIZED) PYTHONMALLOC=malloc LD_PRELOAD="$(SANITIZER_LIBRARIES)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:use_sigaltstack=0
NATIVE_TESTS := tests/systems tests/parsing/test_random_weights.py tests/tagging tests/segmentation tests/pipeline \
	tests/models/test_storage.py tests/perceptron/test_pairs.py tests/network/test_kernels.py
SOURCES := $(shell find src -name '*.pyx' -o -name '*.pxd') setup.py pyproject.toml constraints.txt

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help parse models en en-fast $(LANGUAGES) results test test-long fuzz sanitize lint docs bench build sdist wheel-check clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip setuptools Cython
	touch $@

# The package, compiled in place. Object files stay in build/, for the next build and for the wheel.
$(VENV)/installed: $(VENV)/made $(SOURCES)
	$(BIN)/python setup.py --quiet build_ext --inplace
	GARDENPATH_COMPILED=1 $(BIN)/pip install --quiet --no-build-isolation --editable .
	touch $@

# The requirements of an extra in pyproject.toml. Installing the extra itself would compile the package again.
$(VENV)/extras-%: $(VENV)/installed
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$*'], sep='\n')" > $@.txt
	$(BIN)/pip install --quiet --no-compile --requirement $@.txt
	touch $@

# The browser for the tests of the page: GARDENPATH_CHROMIUM, an installed Chromium, or the Debian package.
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
$(VENV)/browser: $(VENV)/extras-test
	test -x "$$GARDENPATH_CHROMIUM" || command -v chromium > /dev/null || \
		{ $(SUDO) apt-get update --quiet && $(SUDO) apt-get install --yes --quiet --no-install-recommends chromium fonts-dejavu-core; } || \
		{ echo "Chromium is missing and apt-get cannot install it. Install it, or set GARDENPATH_CHROMIUM to its path." >&2; exit 1; }
	touch $@

parse: $(VENV)/installed  ## install everything and parse a sentence with the shipped English model
	echo "He gave his brother a book about birds." | $(BIN)/gardenpath parse

# $(UD) has the folders of the treebanks of UD 2.16, https://universaldependencies.org; $(EWT) is that of English-EWT.
models: en en-fast $(LANGUAGES)  ## train the shipped models again (UD=folder of the treebanks)

# The network: the same kind of machine gives the same file. This was compared for id_csui.
en: $(VENV)/extras-neural $(ENGLISH) $(GLOVE)  ## train only the model en, about 25 minutes
	$(BIN)/gardenpath train $(ENGLISH) $(EWT_DEV) --output $(SHIPPED)/en.gp --scorer network --vectors $(GLOVE) $(CITE)

# The perceptron: the file is the same to the byte.
en-fast: $(QUESTIONS) $(CLUSTERS)  ## train only the model en-fast
	$(BIN)/gardenpath train $(QUESTIONS) $(EWT_DEV) --output $(SHIPPED)/en-fast.gp $(FAST_SETTINGS) --clusters $(CLUSTERS) $(CITE)

# Networks without pretrained vectors, 5 to 25 minutes each. An interrupted training continues. The folder of vi_vtb is
# a copy of its repository of November 2025.
$(LANGUAGES): RELEASE := 2.16
vi_vtb: RELEASE := 2025-11
$(LANGUAGES): $(VENV)/extras-neural
	$(BIN)/python tools/shipped_treebanks.py $(UD)/$@ build/treebanks/$@
	$(BIN)/gardenpath models make $@ --network --from build/treebanks/$@ --release $(RELEASE) --folder build/models --force
	cp build/models/$@.gp $(SHIPPED)/

# For `en`: the training set, and sentences made from it: questions, headlines, and feminine for masculine pronouns.
$(ENGLISH): tools/questions.py tools/pronouns.py | $(VENV)/installed
	mkdir -p $(dir $@)
	$(BIN)/python tools/questions.py $(EWT)/en_ewt-ud-train.conllu build/questions.conllu
	$(BIN)/python tools/pronouns.py $(EWT)/en_ewt-ud-train.conllu build/pronouns.conllu
	cat $(EWT)/en_ewt-ud-train.conllu build/questions.conllu build/pronouns.conllu > $@

# For `en-fast`: the training set, and more questions and headlines, since its tagger sees only a few words.
$(QUESTIONS): tools/questions.py | $(VENV)/installed
	mkdir -p $(dir $@)
	$(BIN)/python tools/questions.py --composed $(EWT)/en_ewt-ud-train.conllu build/more-questions.conllu
	cat $(EWT)/en_ewt-ud-train.conllu build/more-questions.conllu > $@

# The vectors come from the npm registry, with the command npm.
$(GLOVE): | $(VENV)/installed
	mkdir -p $(dir $@)
	$(BIN)/python tools/glove.py $@

$(CLUSTERS): $(GLOVE) | $(VENV)/installed
	$(BIN)/gardenpath clusters --vectors $< --output $@ $(CLUSTER_SETTINGS)

# The treebanks of the experiments under the papers' conditions.
$(PAPER_TREEBANKS): tools/paper_treebanks.py | $(VENV)/installed
	$(BIN)/python tools/paper_treebanks.py $(TREEBANKS) $@
	touch $@

# Can be interrupted and started again. $(TREEBANKS) contains the folders named in experiments/*.toml.
# docs/results/README.md lists how long each experiment takes.
results: $(VENV)/installed $(PAPER_TREEBANKS)  ## run the ready-made experiments (hours) and write their reports (TREEBANKS=folder)
	report() { \
		$(BIN)/gardenpath experiment experiments/$$1.toml --treebanks $$2 --output results && \
		$(BIN)/gardenpath report results/$$1 --output docs/results/$$1 --format markdown --format html --format latex --format csv; \
	}; \
	for name in $(EXPERIMENTS); do report $$name $(TREEBANKS) || exit 1; done; \
	for name in $(PAPER_EXPERIMENTS); do report $$name $(PAPER_TREEBANKS) || exit 1; done

test: $(VENV)/extras-test $(VENV)/extras-neural $(VENV)/extras-cluster $(VENV)/extras-web $(VENV)/extras-spacy $(VENV)/extras-tables $(VENV)/extras-corpus $(VENV)/browser  ## install everything and run the tests
	$(BIN)/pytest --numprocesses 2 --dist loadgroup

test-long: $(VENV)/extras-test $(VENV)/extras-neural $(VENV)/extras-web $(VENV)/extras-cluster  ## run the exhaustive tests
	$(BIN)/pytest --numprocesses 2 -m long

# Mutated files and requests, in processes of their own: tests/fuzz. More options: FUZZ="--seed 2 conllu json".
fuzz: $(VENV)/extras-test $(VENV)/extras-neural $(VENV)/extras-web $(VENV)/extras-tables  ## look for crashes and hangs (FUZZ_SECONDS=60)
	$(BIN)/python -W ignore tests/fuzz/fuzz.py --seconds $(FUZZ_SECONDS) $(FUZZ)

# A build of its own in build/sanitize; the one in src stays as it is. Leaks are those of Python itself.
sanitize: $(VENV)/extras-test $(VENV)/extras-neural $(VENV)/extras-web $(VENV)/extras-tables  ## run native tests and fuzz under ASAN and UBSAN
	GARDENPATH_SANITIZE=1 $(BIN)/python setup.py --quiet build --build-base build/sanitize --build-lib $(SANITIZED)
	$(UNDER_SANITIZERS) $(BIN)/python -m pytest -q -p no:cacheprovider $(NATIVE_TESTS)
	$(UNDER_SANITIZERS) $(BIN)/python -W ignore tests/fuzz/fuzz.py --seconds $(FUZZ_SECONDS) $(FUZZ)

lint: $(VENV)/extras-lint $(VENV)/extras-neural $(VENV)/extras-web  ## run ruff, mypy and cython-lint
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/cython-lint src

# Broken links, unknown references and pages missing from the index are errors.
docs: $(VENV)/extras-docs  ## build the documentation as a site, in build/site
	$(BIN)/sphinx-build --quiet --fresh-env --write-all --fail-on-warning --keep-going --conf-dir docs/site --doctree-dir build/site-cache . build/site

bench: $(VENV)/extras-bench  ## measure speed against UDPipe and spaCy
	$(BIN)/python benchmarks/pipeline.py
	$(BIN)/python benchmarks/parsing.py
	$(BIN)/python benchmarks/loading.py

build: $(VENV)/extras-build  ## build sdist and wheel in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*

sdist: $(VENV)/extras-build  ## build only the sdist, in dist/
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist .
	$(BIN)/twine check --strict dist/*

wheel-check: $(VENV)/extras-build  ## build a wheel and try it in an empty environment
	rm -rf $(VENV)/empty $(VENV)/wheel && $(PYTHON) -m venv $(VENV)/empty
	$(BIN)/pip wheel --quiet --no-build-isolation --no-deps --wheel-dir $(VENV)/wheel .
	$(BIN)/twine check --strict $(VENV)/wheel/*.whl
	$(VENV)/empty/bin/pip install --quiet $(VENV)/wheel/*.whl
	cd $(VENV) && echo "Where did you put the keys?" | empty/bin/gardenpath parse
	cd $(VENV) && empty/bin/gardenpath train ../$(SAMPLE)-train.conllu --epochs 2 --output empty/sample.gp
	cd $(VENV) && empty/bin/gardenpath parse --model empty/sample.gp ../data/sample/garden-path.conllu

clean:  ## remove all build products
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete -o -name '*.cpp' -delete -o -name '*.c' -delete
