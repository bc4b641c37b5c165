# Optional libraries, and what depends on them. They are found by compiling and linking:
# $(call probe,COMPILER,HEADER,EXPRESSION,LINK) says `with` or `without`. A header may be there without its library, a
# wrapper of a compiler (mpicc) without headers.
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

# ---- what depends on them -------------------------------------------------------------

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
$(BUILD)/obj/src/dist/swarm/bigint.o: $(BUILD)/$(GMP)-gmp make/probe.mk
$(BUILD)/with-gmp $(BUILD)/without-gmp:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/with-gmp $(BUILD)/without-gmp
	$(if $(filter with,$(GMP)),,$(say) "note: libgmp-dev is not installed: gyre swarm will not work")
	@touch $@
