# The program, the library, unit tests and tools.

SOURCES := $(filter-out $(MPI_SOURCE),$(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c)))
# What serves a page is part of the program alone: the library needs no web server.
CLI_SOURCES := $(filter src/main/% src/cli/% src/spin/% src/serve/ui/http.c src/serve/ui/web_library.c src/serve/ui/assets.c,$(SOURCES))
LIB_SOURCES := $(filter-out $(CLI_SOURCES),$(SOURCES))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/obj/%.o)
# In folders by room. The programs are in one folder: their names differ (tests/test_tree.py).
UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_TESTS := $(patsubst %.c,$(BUILD)/unit/%,$(notdir $(UNIT_SOURCES)))
vpath test_%.c $(sort $(dir $(UNIT_SOURCES)))

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

$(BUILD)/unit/test_%: test_%.c $(BUILD)/libgyre.a
	@mkdir -p $(@D)
	$(say) TEST $@
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) $(UNIT_OPT) $(UNIT_LINK) -Wno-missing-prototypes -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libgyre.a -lcmocka $(LDLIBS)

# What an earlier build depended on may have moved to another folder.
tests/unit/%.c: ;

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
