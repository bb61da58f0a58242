# SPDX-License-Identifier: GPL-2.0-only
#
# make            memcgtop, dynamic
# make static     memcgtop.static, for guests and for copying to hosts
# make check      installs what is missing, builds, runs every test (ONLY=GLOB: those)
# make unit       the unit tests alone
# make fuzz       the readers of files against mutated ones (FUZZ_SECONDS=20)
# make demo       installs what is missing, builds, shows a report
# make bench      what a charge and uncharge cost with the probes on

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= gcc
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
CFLAGS ?= -O2 -g
B := build
VERSION := 0.1.0

ARCH := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(shell uname -m)))
WARN := -Wall -Wextra -Werror
CPPFLAGS_ALL = -D_GNU_SOURCE -DMEMCGTOP_VERSION='"$(VERSION)"' -Isrc -Ibpf -I$(B) $(CPPFLAGS)
CFLAGS_ALL = -std=gnu11 $(WARN) $(CFLAGS)
LIBS := -lbpf -ljansson -lelf -lncursesw -ltinfo -lzstd -lz -lm
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -Ivmlinux -Ibpf \
	$(WARN) -Wno-unused-parameter

SRC := $(sort $(wildcard src/*.c src/*/*.c))
OBJ := $(SRC:%.c=$(B)/%.o)
SKEL := $(B)/memcgtop.skel.h $(B)/calib.skel.h

ifneq ($(V),1)
Q := @
say = @printf '  %-8s %s\n' $(1) $(2);
endif

# One line that names the package, before a compiler can complain. The others install what is missing, or need nothing.
ifneq ($(filter-out check demo bench lint format clean,$(or $(MAKECMDGOALS),all)),)
missing := $(shell scripts/deps build 2>&1)
$(if $(missing),$(error $(missing)))
endif

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all static install clean unit fuzz check demo bench lint format workload

all: memcgtop man/memcgtop.1

static: memcgtop.static

memcgtop: $(OBJ)
	$(call say,LINK,$@)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS)

memcgtop.static: $(OBJ)
	$(call say,LINK,$@)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -static -o $@ $^ $(LIBS)

$(B)/src/%.o: src/%.c $(SKEL)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/%.bpf.o: bpf/%.bpf.c $(wildcard bpf/*.h) vmlinux/vmlinux.h
	@mkdir -p $(@D)
	$(call say,BPF,$<)$(CLANG) $(BPF_CFLAGS) -c -o $@ $<

$(B)/%.skel.h: $(B)/%.bpf.o
	$(call say,SKEL,$@)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

-include $(OBJ:.o=.d)

# The lists of measures and of verdicts in the man page come from the tables that the program has.
$(B)/measures $(B)/verdicts: $(B)/%: man/%.c $(filter $(B)/src/model/% $(B)/src/sample/% $(B)/src/text/utf8.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LIBS)

man/memcgtop.1: man/memcgtop.1.in $(B)/measures $(B)/verdicts
	$(call say,MAN,$@)$(B)/measures > $(B)/measures.mdoc
	$(Q)$(B)/verdicts > $(B)/verdicts.mdoc
	$(Q)sed -e '/^@MEASURES@$$/{r $(B)/measures.mdoc' -e 'd}' \
		-e '/^@VERDICTS@$$/{r $(B)/verdicts.mdoc' -e 'd}' $< > $@

# Unit tests under ASan and UBSan. The line "// links:" of a test names what it links, relative to src/, as patterns.
UNIT := $(patsubst tests/%.c,$(B)/%,$(wildcard tests/unit/test_*.c))
UNIT_CFLAGS := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
unit_obj = $(patsubst src/../%.c,%.o,$(patsubst src/%.c,src/%.o,$(wildcard $(addprefix src/,$(shell sed -n 's,^// links: ,,p' $1)))))

unit: $(UNIT)
	$(Q)failed=0; for t in $^; do TOP=$(CURDIR) $$t || failed=1; done; exit $$failed

$(B)/unit/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(UNIT_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDEXPANSION:
$(UNIT): $(B)/unit/%: $(B)/unit/tests/unit/%.o $$(addprefix $(B)/unit/,$$(call unit_obj,tests/unit/$$*.c))
	$(call say,LINK,$@)$(CC) $(CFLAGS_ALL) $(UNIT_CFLAGS) -o $@ $^ $(LIBS) -lcmocka

-include $(shell find $(B)/unit -name '*.d' 2>/dev/null)

# Fuzz targets, by clang with libFuzzer. FUZZ_SECONDS=20
FUZZ_CFLAGS := -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all
FUZZ_SRC := $(filter-out src/view/html%,$(wildcard src/sample/*.c src/model/*.c src/view/*.c)) src/text/utf8.c

fuzz:
	$(Q)tests/fuzz/run

$(B)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CLANG) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/fuzz/%: $(B)/fuzz/tests/fuzz/%.o $(FUZZ_SRC:%.c=$(B)/fuzz/%.o)
	$(call say,LINK,$@)$(CLANG) $(CFLAGS_ALL) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

-include $(shell find $(B)/fuzz -name '*.d' -type f 2>/dev/null)

workload:
	$(Q)$(MAKE) --no-print-directory -C tests/workload

install: all
	install -D -m 755 memcgtop $(DESTDIR)$(PREFIX)/bin/memcgtop
	install -D -m 644 man/memcgtop.1 $(DESTDIR)$(PREFIX)/share/man/man1/memcgtop.1

clean:
	rm -rf $(B) memcgtop memcgtop.static man/memcgtop.1
	$(MAKE) -C tests/workload clean

check:
	$(Q)scripts/check $(if $(ONLY),--only '$(ONLY)')

demo:
	$(Q)scripts/demo

bench:
	$(Q)scripts/bench

lint:
	$(Q)scripts/lint

format:
	$(Q)scripts/lint --format
