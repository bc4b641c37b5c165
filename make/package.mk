# What is made of a build: the manual, what is installed, extensions of editors, Debian packages.

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
	@$(PYTHON) tests/install/test_deb.py

# ---- the editor of gyre ui ----------------------------------------------------------------

# CodeMirror as one file, from the versions in share/ui/package-lock.json. The result is kept in the
# sources, so that nothing but this needs npm and a network.
ui-editor:
	cd share/ui && npm ci --ignore-scripts --no-audit --no-fund && npx esbuild codemirror.mjs --bundle --minify --format=esm \
	    --target=es2020 --legal-comments=none --banner:js="$$(cat banner.txt)" --outfile=../../src/serve/ui/page/codemirror.js
