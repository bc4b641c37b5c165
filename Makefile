# Gyre is built with plain GNU make.
#
#   make              build/gyre, build/libgyre.a and build/libgyre.so
#   make run          install what is missing, build, verify a shipped example
#   make check        build, unit tests, command line, a sample of the rest: two minutes
#   make test         install what is missing, build, run the whole test suite
#   make test-long    many more random programs, longer fuzzing: hours
#   make DEBUG=1      assertions on, no optimisation       (build/debug)
#   make SANITIZE=1   address and undefined sanitizers     (build/sanitize)
#   make TSAN=1       thread sanitizer                     (build/tsan)
#   make test-gpu     the search on a GPU against that on the CPU (needs a GPU)
#   make bench        measurements compared with Spin
#   make install PREFIX=/usr/local DESTDIR=
#   make html, man    the manual for a browser (build/html), man pages (build/man)
#   make deb          Debian packages (build/deb); make test-deb tries them in a fresh Debian
#   make vsix         the extension for VS Code (build/gyre.vsix); needs npm once
#   make deps         install the Debian packages that are missing

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
DOCDIR ?= $(PREFIX)/share/doc/gyre
ZSHDIR ?= site-functions
CC ?= cc
ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc 2>/dev/null),gcc,cc)
endif

# Line numbers are enough for a backtrace; to debug, set DEBUG=1. All of -g costs a seventh of the time.
OPT := -O2 -g1
KIND :=
ifdef DEBUG
OPT := -O0 -g3 -DGYRE_DEBUG
KIND := /debug
endif
ifdef SANITIZE
OPT := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DGYRE_DEBUG
KIND := /sanitize
# To clang NULL + 0, the end of an empty array, is a fault, which the next C allows; and it does not say what gcc says.
OPT += $(if $(findstring clang,$(CC)),-fno-sanitize=pointer-overflow -D__SANITIZE_ADDRESS__)
endif
ifdef TSAN
OPT := -O1 -g1 -fsanitize=thread -DGYRE_DEBUG
KIND := /tsan
endif

# Each kind of build has its own directory, so that switching never rebuilds the others.
BUILD := build$(KIND)

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
CFLAGS += -std=c17 $(WARN) $(OPT) -fvisibility=hidden -fPIC
LDLIBS += -lpthread -ldl -lm -ljansson -lxxhash

# make V=1 shows the commands
Q := $(if $(V),,@)
say := @$(if $(V),true,echo)

.DEFAULT_GOAL := all
.PHONY: all run check test test-gpu test-long test-deb bench install deps build-deps bench-deps clean format unit tools man html deb vsix ui-editor
.DELETE_ON_ERROR:

include make/probe.mk

all: $(BUILD)/gyre $(BUILD)/libgyre.a $(BUILD)/libgyre.so $(MPI_OBJECTS)

include make/build.mk
include make/set-up.mk
include make/package.mk

# ---- what a newcomer runs --------------------------------------------------------------

# The example is violated on purpose (exit status 1): that is what there is to see.
run: build-deps
	@$(MAKE) --no-print-directory -j$$(nproc) $(BUILD)/gyre $(BUILD)/libgyre.so
	-@build/gyre examples/broken_mutex.pml; test $$? -eq 1

check: deps
	@$(PYTHON) tests/run.py --quick

test: deps
	@$(PYTHON) tests/run.py

# Nothing is installed: computers with a GPU have their own ways.
test-gpu: all
	@GYRE_DEVICE=cuda python3 tests/diff/device_compare.py --models --count 1100 --jobs $$(nproc) --memory 3G
	@GYRE_DEVICE=cuda python3 tests/diff/device_compare.py --reduced --models --count 1100 --jobs $$(nproc) --memory 3G
	@python3 tests/device/test_device_faults.py --device
	@if command -v compute-sanitizer >/dev/null; then for model in tests/models/control/atomic_loop.pml bench/models/mcs.pml; do \
	GYRE_DEVICE=cuda compute-sanitizer --error-exitcode 9 $(BUILD)/gyre $$model --check safety --exact --backend cuda || exit 1; done; fi

test-long: deps
	@$(PYTHON) tests/run.py --long

bench: bench-deps
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@$(PYTHON) bench/run.py
