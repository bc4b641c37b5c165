# Debian packages that are needed.

BUILD_PACKAGES := gcc libc6-dev libjansson-dev libxxhash-dev
# tcc compiles a model in milliseconds, so that a search that is not compiled yet is fast from the start.
RUN_PACKAGES := $(BUILD_PACKAGES) tcc
# Nothing but a compiler and what Gyre is compared with.
BENCH_PACKAGES := $(RUN_PACKAGES) python3 spin
DEB_PACKAGES := $(BUILD_PACKAGES) dpkg-dev debhelper dh-python python3 libexpat1-dev libgmp-dev libmicrohttpd-dev libopenmpi-dev libmpich-dev libcadical-dev libstdc++-12-dev cmark-gfm
TEST_PACKAGES := $(BUILD_PACKAGES) python3 spin libcmocka-dev graphviz clang libclang-rt-14-dev tcc chromium chromium-driver m4 libexpat1-dev libgmp-dev libmicrohttpd-dev libcadical-dev libstdc++-12-dev python3-jsonschema mypy pkg-config zsh fish cmark-gfm mandoc python3-yaml python3-pytest libtree-sitter-dev neovim emacs-nox elpa-eglot openmpi-bin libopenmpi-dev mpich libmpich-dev
# The one that Debian's packages of modules are for.
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
APT := $(if $(filter 0,$(shell id -u)),apt-get,sudo apt-get)

# install-packages LIST OPTIONS: says which of LIST are missing, and with which command they are installed, then
# does so
define install-packages
	@missing=""; for p in $(1); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; \
	done; \
	if [ -n "$$missing" ]; then \
	    command -v apt-get >/dev/null || { echo "these packages of Debian are needed, and there is no apt-get to install them:$$missing"; exit 1; }; \
	    echo "these packages are missing and will be installed now: $(APT) install$$missing"; \
	    { $(APT) update -qq && DEBIAN_FRONTEND=noninteractive $(APT) install -y -qq $(2) $$missing; } >build/apt.log 2>&1 \
	        || { cat build/apt.log; exit 1; }; \
	fi
endef

deps:
	@mkdir -p build
	$(call install-packages,$(TEST_PACKAGES))
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(VSCODE_PACKAGES) >build/npm.log 2>&1 \
	    || echo "note: npm could not fetch packages (build/npm.log): the tests of editors/vscode are left out"; fi

build-deps:
	@mkdir -p build
	$(call install-packages,$(RUN_PACKAGES),--no-install-recommends)

bench-deps:
	@mkdir -p build
	$(call install-packages,$(BENCH_PACKAGES),--no-install-recommends)
