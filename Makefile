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
#   make test-gpu     the search on a graphics processor against the processors (needs one)
#   make bench        measurements beside Spin
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

# Line numbers are enough for a backtrace; whoever debugs takes DEBUG=1. All of -g costs a seventh of the time.
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

# Each kind of build has its own folder, so that switching never rebuilds the others.
BUILD := build$(KIND)

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
CFLAGS += -std=c17 $(WARN) $(OPT) -fvisibility=hidden -fPIC
LDLIBS += -lpthread -ldl -lm -ljansson -lxxhash

# Optional libraries are found by compiling and linking: $(call probe,COMPILER,HEADER,EXPRESSION,LINK) says `with` or
# `without`. A header may be there without its library, a wrapper of a compiler (mpicc) without headers.
probe = $(shell printf '\043include <%s>\nint main(void) { (void)(%s); return 0; }\n' '$(2)' '$(3)' | \
    $(1) $(CPPFLAGS) -x c - -o /dev/null $(4) >/dev/null 2>&1 && echo with || echo without)

# Reads the descriptions of benchmark sets (gyre beem).
EXPAT := $(call probe,$(CC),expat.h,XML_ParserCreate(0),-lexpat)
EXPAT_LIBS := $(if $(filter with,$(EXPAT)),-lexpat)
# Answers questions without structure about a trace cover. Its library is C++; both are linked in, because every start
# of the program would pay for a shared one.
CADICAL_LINK := -Wl,-Bstatic -lcadical -lstdc++ -Wl,-Bdynamic -lm
CADICAL := $(call probe,$(CC),ccadical.h,ccadical_init(),$(CADICAL_LINK))
CADICAL_LIBS := $(if $(filter with,$(CADICAL)),$(CADICAL_LINK))
# The page in the browser (gyre ui). The library is loaded when it is asked for.
MICROHTTPD := $(call probe,$(CC),microhttpd.h,MHD_VERSION,)
# Large numbers (gyre swarm).
GMP := $(call probe,$(CC),gmp.h,mpz_init,-lgmp)
GMP_LIBS := $(if $(filter with,$(GMP)),-lgmp)
LDLIBS += $(GMP_LIBS)
# A transport for each kind of MPI (gyre MODEL --mpi), loaded when it is asked for.
MPI_SOURCE := src/dist/mpi/mpi_object.c
MPI_OBJECTS := $(strip $(foreach kind,openmpi mpich,$(if $(filter with,$(call probe,mpicc.$(kind),mpi.h,MPI_Init(0, 0),)),$(BUILD)/gyre-mpi-$(kind).so)))

SOURCES := $(filter-out $(MPI_SOURCE),$(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c)))
# What serves a page is part of the program alone: the library needs no web server.
CLI_SOURCES := $(filter src/main/% src/cli/% src/spin/% src/serve/ui/http.c src/serve/ui/web_library.c src/serve/ui/assets.c,$(SOURCES))
LIB_SOURCES := $(filter-out $(CLI_SOURCES),$(SOURCES))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/obj/%.o)
UNIT_SOURCES := $(sort $(wildcard tests/unit/test_*.c))
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/unit/%)

# make V=1 shows the commands
Q := $(if $(V),,@)
say := @$(if $(V),true,echo)

.PHONY: all run check test test-gpu test-long test-deb bench install deps build-deps clean format unit tools man html deb vsix ui-editor
.DELETE_ON_ERROR:

all: $(BUILD)/gyre $(BUILD)/libgyre.a $(BUILD)/libgyre.so $(MPI_OBJECTS)

$(BUILD)/gyre: $(CLI_OBJECTS) $(BUILD)/libgyre.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $(CLI_OBJECTS) $(BUILD)/libgyre.a $(LDLIBS) $(EXPAT_LIBS) $(CADICAL_LIBS)

$(BUILD)/libgyre.a: $(LIB_OBJECTS)
	@rm -f $@
	$(say) AR $@
	$(Q)ar rcs $@ $(LIB_OBJECTS)

# What is installed: one object in which the names that are not of the interface are nobody's.
$(BUILD)/public/libgyre.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(say) AR $@
	$(Q)ld -r -o $(@D)/gyre.o $(LIB_OBJECTS)
	$(Q)objcopy --localize-hidden $(@D)/gyre.o
	$(Q)ar rcs $@ $(@D)/gyre.o

# The number is that of the interface (GY_ABI_VERSION).
$(BUILD)/libgyre.so.1: $(LIB_OBJECTS)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libgyre.so.1 -o $@ $(LIB_OBJECTS) $(LDLIBS)

$(BUILD)/gyre-mpi-%.so: $(MPI_SOURCE) src/dist/mpi/transport.h
	@mkdir -p $(@D)
	$(say) MPICC $@
	$(Q)mpicc.$* $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -shared -o $@ $<

$(BUILD)/libgyre.so: $(BUILD)/libgyre.so.1
	@ln -sf libgyre.so.1 $@

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# With sanitizers, optimising these rooms takes longer than all that the tests do in them.
ifdef SANITIZE
$(foreach room,cli spin report serve dist/swarm,$(eval $(BUILD)/obj/src/$(room)/%.o: CFLAGS += -O0))
endif

# Made again when expat comes or goes.
$(BUILD)/obj/src/cli/beem/beem_xml.o: CPPFLAGS += $(if $(EXPAT_LIBS),-DGYRE_EXPAT)
$(BUILD)/obj/src/cli/beem/beem_xml.o: $(BUILD)/$(EXPAT)-expat
$(BUILD)/with-expat $(BUILD)/without-expat:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/with-expat $(BUILD)/without-expat
	$(if $(EXPAT_LIBS),,$(say) "note: libexpat1-dev is not installed: gyre beem will not work")
	@touch $@

# The same for CaDiCaL.
$(BUILD)/obj/src/cli/cadical.o: CPPFLAGS += $(if $(CADICAL_LIBS),-DGYRE_CADICAL)
$(BUILD)/obj/src/cli/cadical.o: $(BUILD)/$(CADICAL)-cadical
$(BUILD)/with-cadical $(BUILD)/without-cadical:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/with-cadical $(BUILD)/without-cadical
	$(if $(CADICAL_LIBS),,$(say) "note: libcadical-dev or libstdc++-12-dev is not installed: --cover goes through cuts where it could ask a SAT solver")
	@touch $@

# The same for libmicrohttpd.
WEB_OBJECTS := $(BUILD)/obj/src/serve/ui/http.o $(BUILD)/obj/src/serve/ui/web_library.o
$(WEB_OBJECTS): CPPFLAGS += $(if $(filter with,$(MICROHTTPD)),-DGYRE_MICROHTTPD)
$(WEB_OBJECTS): $(BUILD)/$(MICROHTTPD)-microhttpd
$(BUILD)/with-microhttpd $(BUILD)/without-microhttpd:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/with-microhttpd $(BUILD)/without-microhttpd
	$(if $(filter with,$(MICROHTTPD)),,$(say) "note: libmicrohttpd-dev is not installed: gyre ui will not work")
	@touch $@

# Likewise gmp.
$(BUILD)/obj/src/dist/swarm/bigint.o: CPPFLAGS += $(if $(filter with,$(GMP)),-DGYRE_GMP)
$(BUILD)/obj/src/dist/swarm/bigint.o: $(BUILD)/$(GMP)-gmp Makefile
$(BUILD)/with-gmp $(BUILD)/without-gmp:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/with-gmp $(BUILD)/without-gmp
	$(if $(filter with,$(GMP)),,$(say) "note: libgmp-dev is not installed: gyre swarm will not work")
	@touch $@

# Texts that are part of an object (see the sources).
$(BUILD)/obj/src/exec/device/generate.o: src/exec/device/prelude.cu src/exec/device/stubborn.cu \
    src/exec/device/kernels.cu
$(BUILD)/obj/src/report/outcome/outcome_html.o: $(addprefix src/report/page/report.,html css js)
$(BUILD)/obj/src/report/page/page_files.o: $(wildcard src/report/page/*.js src/report/page/*.css)
$(BUILD)/obj/src/serve/ui/assets.o: $(wildcard src/serve/ui/page/*)
$(BUILD)/obj/src/cli/completion/completion.o: $(addprefix src/cli/completion/gyre.,bash zsh fish)

# Optimising a test takes longer than running it, but for those that compute something themselves.
UNIT_OPT := -O0 -g1
$(addprefix $(BUILD)/unit/test_,search reach store cleary node_table numbered foreign emptiness shortest ltl_automaton \
    checkpoint ranks canonical hunt space device_search): UNIT_OPT :=

# Nor is what a debugger needs copied into each of them, unless the build is one for that.
UNIT_LINK := $(if $(KIND),,-Wl,--strip-debug)

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libgyre.a
	@mkdir -p $(@D)
	$(say) TEST $@
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) $(UNIT_OPT) $(UNIT_LINK) -Wno-missing-prototypes -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libgyre.a -lcmocka $(LDLIBS)

# Helpers that tests and developers run by hand.
TOOLS := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/*.c))

$(BUILD)/tools/%: tests/tools/%.c $(BUILD)/libgyre.a
	@mkdir -p $(@D)
	$(say) TOOL $@
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libgyre.a $(LDLIBS)

unit: $(UNIT_TESTS)
tools: $(TOOLS)

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) $(TOOLS:=.d)

clean:
	rm -rf build

format:
	clang-format -i $$(git ls-files '*.c' '*.h' ':!editors')

# ---- set-up: Debian packages ---------------------------------------------------------

BUILD_PACKAGES := gcc libc6-dev libjansson-dev libxxhash-dev
# tcc compiles a model in milliseconds, so that a search that is not compiled yet is fast from the start.
RUN_PACKAGES := $(BUILD_PACKAGES) tcc
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

# ---- what a newcomer runs --------------------------------------------------------------

# The example is violated on purpose (exit status 1): that is what there is to see.
run: build-deps
	@$(MAKE) --no-print-directory -j$$(nproc) $(BUILD)/gyre $(BUILD)/libgyre.so
	-@build/gyre examples/broken_mutex.pml; test $$? -eq 1

check: deps
	@$(PYTHON) tests/run.py --quick

test: deps
	@$(PYTHON) tests/run.py

# Nothing is installed: machines with a graphics processor have their own ways.
test-gpu: all
	@GYRE_DEVICE=cuda python3 tests/diff/device_compare.py --models --count 1100 --jobs $$(nproc) --memory 3G
	@GYRE_DEVICE=cuda python3 tests/diff/device_compare.py --reduced --models --count 1100 --jobs $$(nproc) --memory 3G
	@python3 tests/test_device_faults.py --device
	@if command -v compute-sanitizer >/dev/null; then for model in tests/models/control/atomic_loop.pml bench/models/mcs.pml; do \
	GYRE_DEVICE=cuda compute-sanitizer --error-exitcode 9 $(BUILD)/gyre $$model --check safety --exact --backend cuda || exit 1; done; fi

test-long: deps
	@$(PYTHON) tests/run.py --long

bench: deps
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@python3 bench/run.py

# ---- the editor of gyre ui ----------------------------------------------------------------

# CodeMirror as one file, from the versions in share/ui/package-lock.json. The result is kept in the
# sources, so that nothing but this needs npm and a network.
ui-editor:
	cd share/ui && npm ci --ignore-scripts --no-audit --no-fund && npx esbuild codemirror.mjs --bundle --minify --format=esm \
	    --target=es2020 --legal-comments=none --banner:js="$$(cat banner.txt)" --outfile=../../src/serve/ui/page/codemirror.js

# ---- the manual --------------------------------------------------------------------------

# Made of docs/*.md and the tables that the program prints, with cmark-gfm.
MANUAL := $(and $(shell command -v python3 2>/dev/null),$(shell command -v cmark-gfm 2>/dev/null))
MANUAL_SOURCES := $(wildcard share/manual/* docs/*.md docs/*/* examples/*.md examples/*/*.md bench/*.md) README.md ARCHITECTURE.md CHANGELOG.md

man: $(BUILD)/man/gyre.1
html: $(BUILD)/html/index.html

$(BUILD)/man/gyre.1 $(BUILD)/html/index.html: $(BUILD)/gyre $(MANUAL_SOURCES)
	$(if $(MANUAL),,@echo "the manual needs python3 and cmark-gfm (Debian: apt-get install python3 cmark-gfm)"; exit 1)
	@rm -rf $(@D)
	@PYTHONDONTWRITEBYTECODE=1 python3 share/manual/manual.py $(notdir $(@D)) $(BUILD)/gyre $(@D)

# ---- installation ------------------------------------------------------------------------

install: all $(BUILD)/public/libgyre.a $(if $(MANUAL),man html)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include/gyre
	install -m 755 $(BUILD)/gyre $(DESTDIR)$(PREFIX)/bin/gyre
	install -m 644 $(BUILD)/public/libgyre.a $(DESTDIR)$(LIBDIR)/libgyre.a
	install -m 644 $(BUILD)/libgyre.so.1 $(DESTDIR)$(LIBDIR)/libgyre.so.1
	ln -sf libgyre.so.1 $(DESTDIR)$(LIBDIR)/libgyre.so
	$(if $(MPI_OBJECTS),install -d $(DESTDIR)$(LIBDIR)/gyre)
	$(if $(MPI_OBJECTS),install -m 644 $(MPI_OBJECTS) $(DESTDIR)$(LIBDIR)/gyre/)
	install -m 644 include/gyre/*.h $(DESTDIR)$(PREFIX)/include/gyre/
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|' \
	    -e "s|@VERSION@|$$(sed -n 's/^#define GY_VERSION "\(.*\)"/\1/p' include/gyre/gyre.h)|" \
	    -e 's|@GMP@|$(if $(filter with,$(GMP)), -lgmp)|' share/gyre.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/gyre.pc
	install -d $(DESTDIR)$(PYTHONDIR)/gyre
	install -m 644 python/gyre/*.py python/gyre/py.typed $(DESTDIR)$(PYTHONDIR)/gyre/
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	    $(DESTDIR)$(PREFIX)/share/zsh/$(ZSHDIR) $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BUILD)/gyre --print-completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gyre
	$(BUILD)/gyre --print-completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/$(ZSHDIR)/_gyre
	$(BUILD)/gyre --print-completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/gyre.fish
	install -d $(DESTDIR)$(DOCDIR)
	cp -R --preserve=mode --no-target-directory examples $(DESTDIR)$(DOCDIR)/examples
	find $(DESTDIR)$(DOCDIR)/examples \( -name '*.trail' -o -name __pycache__ \) -exec rm -rf {} +
ifneq ($(MANUAL),)
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	cp -R --preserve=mode --no-target-directory $(BUILD)/html $(DESTDIR)$(DOCDIR)/html
else
	@echo "note: python3 or cmark-gfm is not installed: no man pages, no HTML manual"
endif

# ---- editors -----------------------------------------------------------------------------

# Packages are fetched when the list of them changes; what is packed is made of what is there.
VSCODE := editors/vscode
VSCODE_PACKAGES := $(VSCODE)/node_modules/.package-lock.json

$(VSCODE_PACKAGES): $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci --ignore-scripts --no-audit --no-fund && touch node_modules/.package-lock.json

vsix: build/gyre.vsix

build/gyre.vsix: $(VSCODE_PACKAGES) $(wildcard $(VSCODE)/*.* $(VSCODE)/src/* $(VSCODE)/syntaxes/* $(VSCODE)/snippets/*) LICENSE
	@mkdir -p build
	cd $(VSCODE) && node build.mjs
	python3 $(VSCODE)/pack.py $@

# ---- Debian packages -----------------------------------------------------------------------

VERSION := $(shell sed -n 's/^.define GY_VERSION "\(.*\)"/\1/p' include/gyre/gyre.h)

# Built in a copy, since dpkg writes into the sources and beside them.
deb:
	@mkdir -p build
	$(call install-packages,$(DEB_PACKAGES),--no-install-recommends)
	@rm -rf build/deb && mkdir -p build/deb/gyre-$(VERSION)
	@tar -c --exclude=./build --exclude=./.git --exclude='*.trail' --exclude=__pycache__ --exclude=node_modules --exclude=./editors/vscode/out . | tar -x -C build/deb/gyre-$(VERSION)
	cd build/deb/gyre-$(VERSION) && DEB_BUILD_OPTIONS="noautodbgsym parallel=$$(nproc)" dpkg-buildpackage -us -uc -b
	@ls build/deb/*.deb

test-deb: deb
	$(call install-packages,lintian debootstrap,--no-install-recommends)
	@$(PYTHON) tests/test_deb.py
