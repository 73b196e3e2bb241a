# SPDX-License-Identifier: GPL-3.0-or-later
#
# rcusim's build. Everything is built out of tree in build/<variant>/.
#
#   make                     the program, build/release/rcusim
#   make VARIANT=debug       another variant: release debug asan ubsan,
#                            each also as clang-<variant>
#   make CC=clang            the clang- twin of the variant
#   make V=1                 shows the commands
#   make CFLAGS=-march=native  user flags come last and win
#
# `make help` lists the targets.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

PREFIX ?= /usr/local
DESTDIR ?=
VARIANT ?= release
V ?= 0
WERROR ?= 0
# seconds for each fuzz target; name of a unit test for check-unit
T ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# --- variant and compiler -------------------------------------------------

ifneq ($(filter clang-%,$(VARIANT)),)
ifeq ($(findstring clang,$(CC)),)
override CC := clang
endif
else
ifneq ($(findstring clang,$(CC)),)
override VARIANT := clang-$(VARIANT)
else ifneq ($(filter default undefined,$(origin CC))$(if $(strip $(CC)),,empty),)
override CC := gcc
endif
endif

KIND := $(VARIANT:clang-%=%)
B := build/$(VARIANT)

ifeq ($(KIND),release)
OPT := -O2 -g
else ifeq ($(KIND),debug)
OPT := -Og -g3 -DRCUSIM_DEBUG=1
else ifeq ($(KIND),asan)
OPT := -O1 -g -DRCUSIM_DEBUG=1 -fno-omit-frame-pointer -fsanitize=address
else ifeq ($(KIND),ubsan)
OPT := -O1 -g -DRCUSIM_DEBUG=1 -fno-omit-frame-pointer -fsanitize=undefined -fno-sanitize-recover=all
else
$(error unknown VARIANT '$(VARIANT)': release, debug, asan or ubsan, or clang-<one of these>)
endif

WARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual \
	-Wwrite-strings -Wundef -Wvla -Wswitch-enum -Wformat=2
ifeq ($(WERROR),1)
WARN += -Werror
endif

# --- libraries --------------------------------------------------------------

PKG_CONFIG ?= pkg-config
pkg_cflags = $(shell $(PKG_CONFIG) --cflags $(1) 2>/dev/null)
pkg_libs = $(or $(shell $(PKG_CONFIG) --libs $(1) 2>/dev/null),$(2))

LIB_CFLAGS := $(call pkg_cflags,gsl) $(call pkg_cflags,yaml-0.1)
LIB_LIBS := $(call pkg_libs,gsl,-lgsl -lgslcblas -lm) $(call pkg_libs,yaml-0.1,-lyaml)
CHECK_CFLAGS := $(call pkg_cflags,check)
CHECK_LIBS := $(call pkg_libs,check,-lcheck -lsubunit -lrt -lpthread -lm)

ifneq ($(filter-out clean help uninstall,$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell $(PKG_CONFIG) --exists gsl yaml-0.1 2>/dev/null && echo found),found)
$(warning pkg-config does not find GSL and libyaml; ./setup.sh installs them)
endif
endif

# -ffp-contract=off: results must not depend on the compiler's use of fma.
BASE_CFLAGS := -std=c17 -D_GNU_SOURCE -I. -pthread -ffp-contract=off \
	-DRCUSIM_DATADIR='"$(PREFIX)/share/rcusim"' $(OPT) $(WARN) $(LIB_CFLAGS)
ALL_CFLAGS = $(BASE_CFLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(OPT) -pthread $(CFLAGS) $(LDFLAGS)

# --- sources ----------------------------------------------------------------

# SRC, HEADERS, SCENARIOS: what ships is listed; tests are found
include sources.mk
LIB_SRC := $(filter-out sim/cli/main.c,$(SRC))
MAIN_SRC := $(filter sim/cli/main.c,$(SRC))
UNIT_SRC := $(sort $(wildcard tests/unit/check_*.c))
MODEL_SRC := $(sort $(wildcard tests/model/check_*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/bench_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
# helpers that several test binaries share
TORTURE_SRC := tests/model/torture.c
TEST_LIB_SRC := $(filter-out $(UNIT_SRC) $(MODEL_SRC) $(TORTURE_SRC),$(sort $(wildcard tests/unit/*.c tests/model/*.c)))
TEST_SRC := $(UNIT_SRC) $(MODEL_SRC) $(TORTURE_SRC) $(TEST_LIB_SRC) $(BENCH_SRC)

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
PROGRAM := $(B)/rcusim
ARCHIVE := $(B)/librcusim.a
TEST_ARCHIVE := $(if $(TEST_LIB_SRC),$(B)/libtests.a)
CHECK_BINS := $(patsubst %.c,$(B)/%,$(UNIT_SRC) $(MODEL_SRC))
BENCH_BINS := $(patsubst %.c,$(B)/%,$(BENCH_SRC))
TORTURE := $(B)/tests/model/torture
FUZZ_BINS := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(FUZZ_SRC))

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-5s %s\n'
endif

# --- rules ------------------------------------------------------------------

.PHONY: all
all: $(PROGRAM) ## the program (default)

# Rewritten only when the flags or the list of sources changed, so that
# everything which depends on it is rebuilt then and only then.
FLAGS_TEXT = $(CC) $(shell $(CC) -dumpfullversion -dumpversion 2>/dev/null) $(ALL_CFLAGS) | $(LDFLAGS) $(LIB_LIBS)
.PHONY: FORCE
FORCE:
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' >$@
$(B)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(LIB_SRC) $(TEST_LIB_SRC) | cmp -s - $@ || printf '%s\n' $(LIB_SRC) $(TEST_LIB_SRC) >$@

$(B)/obj/%.o: %.c $(B)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/obj/tests/%.o: ALL_CFLAGS += $(CHECK_CFLAGS)

$(ARCHIVE): $(call obj,$(LIB_SRC)) $(B)/sources
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcsD $@ $(filter %.o,$^)

ifneq ($(TEST_ARCHIVE),)
$(TEST_ARCHIVE): $(call obj,$(TEST_LIB_SRC)) $(B)/sources
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcsD $@ $(filter %.o,$^)
endif

$(PROGRAM): $(call obj,$(MAIN_SRC)) $(ARCHIVE)
	$(say) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(CHECK_BINS): $(B)/%: $(B)/obj/%.o $(TEST_ARCHIVE) $(ARCHIVE)
	$(say) LD $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(CHECK_LIBS)

$(TORTURE): $(call obj,$(TORTURE_SRC)) $(TEST_ARCHIVE) $(ARCHIVE)
	$(say) LD $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(CHECK_LIBS)

$(BENCH_BINS): $(B)/%: $(B)/obj/%.o $(ARCHIVE)
	$(say) LD $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

.PRECIOUS: $(B)/obj/%.o
-include $(patsubst %.c,$(B)/obj/%.d,$(SRC) $(TEST_SRC))

# --- running ----------------------------------------------------------------

.PHONY: demo
demo: $(PROGRAM) ## the 2015 boot, default against expedited
	@$(PROGRAM) run scenarios/boot/kvm-2015.yaml

.PHONY: check check-bins check-cli check-unit golden docs-check
check: $(PROGRAM) $(CHECK_BINS) $(TORTURE) ## every test; ends with `N passed, M failed`
	@tests/tools/run_checks.sh -b $(B) -j $(JOBS) \
		-s 'cli=tests/cli/run.sh' -s 'golden=tests/tools/golden.sh' \
		-s 'ties=tests/tools/ties.sh' -s 'dumps=tests/tools/dumps.sh' \
		-s 'docs=tests/tools/check_docs.sh' -s 'tools=tests/tools/check_tools.sh' \
		-s 'install=tests/tools/check_install.sh' -s 'layers=tests/tools/check_layers.sh' \
		-s 'sources=tests/tools/check_sources.sh' -s 'globals=tests/tools/check_globals.sh' $(CHECK_BINS)

check-bins: $(PROGRAM) $(CHECK_BINS) ## the unit and model tests and the command-line tests only
	@tests/tools/run_checks.sh -b $(B) -j $(JOBS) -s 'cli=tests/cli/run.sh' $(CHECK_BINS)

check-cli: $(PROGRAM) ## the command-line tests (UPDATE=1 rewrites expectations)
	@RCUSIM=$(PROGRAM) UPDATE=$(UPDATE) tests/cli/run.sh

check-unit: $(filter %/check_$(T),$(CHECK_BINS)) ## one test binary: T=arena runs check_arena
	@test -n '$(filter %/check_$(T),$(CHECK_BINS))' || \
		{ echo "no test called '$(T)': $(patsubst check_%,%,$(notdir $(CHECK_BINS)))" >&2; exit 2; }
	@for t in $(filter %/check_$(T),$(CHECK_BINS)); do CK_DEFAULT_TIMEOUT=120 $$t || exit 1; done

golden: $(PROGRAM) ## results of the shipped scenarios against tests/golden (UPDATE=1 rewrites)
	@RCUSIM=$(PROGRAM) UPDATE=$(UPDATE) tests/tools/golden.sh

docs-check: $(PROGRAM) ## README output, man page and links against the program
	@RCUSIM=$(PROGRAM) tests/tools/check_docs.sh

.PHONY: asan ubsan
asan ubsan: ## the tests under that sanitizer, leaks included
	@CK_FORK=no ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99 \
		UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 \
		$(MAKE) --no-print-directory VARIANT=$(if $(filter clang-%,$(VARIANT)),clang-)$@ check-bins

.PHONY: valgrind
valgrind: $(PROGRAM) ## `rcusim run` under valgrind
	@tests/tools/valgrind.sh $(PROGRAM)

.PHONY: determinism
determinism: ## the same bytes for -j1, -j2, gcc, clang, debug, release
	@for v in release debug clang-release clang-debug; do \
		$(MAKE) --no-print-directory CC= VARIANT=$$v all || exit 1; done
	@tests/tools/determinism.sh build/release build/debug build/clang-release build/clang-debug

.PHONY: lint
lint: ## clang-tidy, cppcheck, shellcheck, yamllint, layers, headers
	@tests/tools/lint.sh -j $(JOBS) -f '$(subst ','\'',$(BASE_CFLAGS) $(CHECK_CFLAGS))' $(SRC) -- $(TEST_SRC) $(FUZZ_SRC) -- $(HEADERS)

.PHONY: bench
bench: $(PROGRAM) $(BENCH_BINS) ## instructions for each event and replications a second
	@tests/bench/run.sh $(B) $(PROGRAM)

.PHONY: torture
torture: $(TORTURE) ## random runs for T seconds, the oracle on
	@$(TORTURE) -t $(T) -j $(JOBS) $(TORTURE_ARGS)

.PHONY: mutants
mutants: $(PROGRAM) $(CHECK_BINS) $(TORTURE) ## broken models: what notices them (M=NAME... for some)
	@tests/tools/mutants.sh -b $(B) -j $(JOBS) -c '$(subst ','\'',$(CC) $(ALL_CFLAGS))' \
		-l '$(CC) $(ALL_LDFLAGS)' -L '$(LIB_LIBS) $(CHECK_LIBS)' $(M)

.PHONY: fuzz
fuzz: $(FUZZ_BINS) ## the loader under libFuzzer, T seconds each
	@tests/tools/fuzz.sh $(T) $(FUZZ_BINS)

FUZZ_CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
build/fuzz/%: tests/fuzz/%.c $(LIB_SRC) $(HEADERS) Makefile sources.mk
	$(say) FUZZ $@
	@mkdir -p $(@D)
	$(Q)clang $(filter-out -O2 -Og,$(BASE_CFLAGS)) $(FUZZ_CFLAGS) $(CFLAGS) -o $@ $< $(LIB_SRC) $(LDFLAGS) $(LIB_LIBS)

.PHONY: readme-output
readme-output: $(PROGRAM) ## refreshes the program output shown in README.md
	@RCUSIM=$(PROGRAM) UPDATE=1 tests/tools/check_docs.sh

.PHONY: install uninstall
install: $(PROGRAM) ## PREFIX (/usr/local), DESTDIR
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 755 $(PROGRAM) '$(DESTDIR)$(PREFIX)/bin/rcusim'
	install -m 644 docs/man/rcusim.1 '$(DESTDIR)$(PREFIX)/share/man/man1/rcusim.1'
	@for f in $(SCENARIOS); do \
		install -D -m 644 $$f "$(DESTDIR)$(PREFIX)/share/rcusim/$$f" || exit 1; done

uninstall: ## removes what install put there
	rm -f '$(DESTDIR)$(PREFIX)/bin/rcusim' '$(DESTDIR)$(PREFIX)/share/man/man1/rcusim.1'
	rm -rf '$(DESTDIR)$(PREFIX)/share/rcusim'

.PHONY: format format-check
FORMATTED := $(SRC) $(HEADERS) $(TEST_SRC) $(FUZZ_SRC)
format: ## clang-format in place
	clang-format -i $(FORMATTED)
format-check: ## does clang-format agree?
	clang-format --dry-run --Werror $(FORMATTED)

.PHONY: clean
clean: ## removes build/
	rm -rf build

.PHONY: help
help: ## this list
	@echo 'usage: make [target] [VARIANT=release|debug|asan|ubsan|clang-...] [V=1] [WERROR=1]'
	@sed -n 's/^\([a-z][a-z -]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='	' read -r name text; do printf '  %-15s %s\n' "$$name" "$$text"; done
