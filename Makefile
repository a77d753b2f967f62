# SPDX-License-Identifier: MIT
# Thin front: Meson and ninja do the work. `make help` lists what there is to call.
#
# B is the build directory: `make B=/tmp/other check` keeps away from the usual one.

B ?= build
prefix ?= /usr/local
DESTDIR ?=
SECONDS ?= 600

# Meson finds files by name when it configures, so a new or removed one configures again.
FOLDERS := $(wildcard $(addsuffix /.,include/tacho include/lttng include/lttng/tacho \
	lib/* lib/*/* cli cli/* preload examples bench doc/man tests/*))

# What is set up is needed by what comes next.
.NOTPARALLEL:
.PHONY: all demo check check-kernel bench soak \
	coverage check-sanitizers fuzz install uninstall clean help setup setup-peers
all: setup $(B)/build.ninja
	@ninja -C $(B) $(if $(JOBS),-j$(JOBS)) --quiet

help:
	@echo 'make                     build into $(B)/'
	@echo 'make demo                build, then show what Tacho does'
	@echo 'make check               build, then run all tests; SUITE="unit e2e" TESTS="name.." select'
	@echo 'make bench               build, then measure the cost of an event, side by side with peers'
	@echo 'make coverage            which lines the unit tests and corpora reach; SUITE as above'
	@echo 'make check-kernel        the kernel module on booted kernels, at length'
	@echo 'make check-sanitizers    unit, replay, golden with ASan and UBSan; what has threads with TSan'
	@echo 'make fuzz SECONDS=600    each parser of what others write, by libFuzzer, for that long'
	@echo 'make soak SECONDS=600    the stress tests, each for that long; all faults, many times'
	@echo 'make install prefix=DIR  DESTDIR is honoured'
	@echo 'make clean               remove $(B)/'

setup:
	@tools/setup required

setup-peers:
	@tools/setup all $(B)
	@tools/get-kernel arm64 $(B)/arm64 || echo 'setup: none; what boots it is skipped'
	@tools/get-kernel amd64 $(B)/amd64 || echo 'setup: none; what boots it is skipped'

# A directory that Meson knows already is told to configure again instead.
$(B)/build.ninja: $(FOLDERS)
	@mkdir -p $(B)
	@meson setup $(if $(wildcard $(B)/meson-private/coredata.dat),--reconfigure) $(B) \
		>$(B)/setup.log 2>&1 || { cat $(B)/setup.log; exit 1; }
	@touch $@

demo: all
	@tools/demo $(B)

check: setup-peers $(B)/build.ninja
	@tools/check $(B) $(addprefix --suite ,$(SUITE)) $(TESTS)

# The kernel module on booted kernels, for minutes; `make check` does it in short.
check-kernel: setup-peers $(B)/build.ninja
	@tools/get-kernel rt-amd64 $(B)/rt-amd64 || echo 'setup: none; what boots it is skipped'
	@TACHO_KERNEL_FULL=yes tools/check $(B) --no-timeout --suite kernel-module

bench: setup-peers all
	@ninja -C $(B) --quiet bench

soak: setup $(B)/build.ninja
	@TACHO_SOAK=1 TACHO_STRESS_SECONDS=$(SECONDS) tools/check $(B) --no-timeout \
		--suite stress --suite faults

coverage: setup
	@tools/coverage $(B)-coverage $(SUITE)

check-sanitizers: setup
	@tools/check-sanitizers $(B) $(SUITE)

fuzz: setup
	@tools/fuzz $(B)-fuzz $(SECONDS) $(TESTS)

install: all
	@meson configure $(B) "-Dprefix=$$(realpath -ms '$(prefix)')" >$(B)/setup.log
	@ninja -C $(B) --quiet >>$(B)/setup.log || { cat $(B)/setup.log; exit 1; }
	@DESTDIR="$$(test -z '$(DESTDIR)' || realpath -ms '$(DESTDIR)')" \
		meson install -C $(B) --no-rebuild --quiet
	@if test -z '$(DESTDIR)' && test "$$(id -u)" = 0; then ldconfig; fi
	@tools/installed '$(prefix)' '$(DESTDIR)'

uninstall:
	@ninja -C $(B) uninstall

clean:
	rm -rf $(B)
