# SPDX-License-Identifier: GPL-2.0-only
#
# make            memcgtop, dynamic
# make static     memcgtop.static, for guests and for copying to hosts
# make check      installs what is missing, builds, runs every test (ONLY=GLOB: those)
# make unit       the unit tests alone
# make fuzz       the readers of files against mutated ones (FUZZ_SECONDS=20)
# make demo       installs what is missing, builds, shows a report
# make install    to PREFIX, with the manual and completions; make uninstall takes it back
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
ifneq ($(filter-out uninstall check demo bench lint format clean,$(or $(MAKECMDGOALS),all)),)
missing := $(shell scripts/deps build 2>&1)
$(if $(missing),$(error $(missing)))
endif

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all manual static install uninstall clean unit fuzz check demo bench lint format workload

MAN := $(patsubst %.in,%,$(wildcard man/*.1.in))

all: memcgtop manual

manual: $(MAN)

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

# The manual's lists of measures, verdicts, options and keys come from the tables that the program has.
$(B)/measures $(B)/verdicts: $(B)/%: man/%.c $(filter $(B)/src/model/% $(B)/src/sample/% $(B)/src/text/utf8.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LIBS)

# The same of what compare's verdict can say.
$(B)/changes: man/changes.c $(filter $(B)/src/compare/% $(B)/src/model/% $(B)/src/sample/% $(B)/src/text/utf8.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LIBS)

$(B)/options: man/options.c $(B)/src/options_table.o
	$(call say,LINK,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^

$(B)/keys: man/keys.c $(filter-out $(B)/src/main.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -o $@ $^ $(LIBS)

$(B)/measures.mdoc $(B)/verdicts.mdoc $(B)/keys.mdoc $(B)/changes.mdoc: %.mdoc: %
	$(Q)$< > $@

# The options of a page are those of the verb in its name; of memcgtop.1, those of no verb.
$(B)/options-%.mdoc: $(B)/options man/options.in
	$(Q)$(B)/options $(*:memcgtop-%=%) man/options.in > $@

man/%.1: man/%.1.in $(B)/options-%.mdoc $(B)/measures.mdoc $(B)/verdicts.mdoc $(B)/keys.mdoc $(B)/changes.mdoc
	$(call say,MAN,$@)sed -e '/^@OPTIONS@$$/{r $(B)/options-$*.mdoc' -e 'd}' \
		-e '/^@MEASURES@$$/{r $(B)/measures.mdoc' -e 'd}' \
		-e '/^@VERDICTS@$$/{r $(B)/verdicts.mdoc' -e 'd}' \
		-e '/^@CHANGES@$$/{r $(B)/changes.mdoc' -e 'd}' \
		-e '/^@KEYS@$$/{r $(B)/keys.mdoc' -e 'd}' $< > $@

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
FUZZ_SRC := $(filter-out src/view/html%,$(wildcard src/sample/*.c src/model/*.c src/compare/*.c src/view/*.c src/text/*.c src/gate/*.c)) \
	src/error.c

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

# What make install copies, and where to below PREFIX.
BASH_COMPLETION := share/bash-completion/completions/memcgtop
ZSH_COMPLETION := share/zsh/site-functions/_memcgtop
FISH_COMPLETION := share/fish/vendor_completions.d/memcgtop.fish
INSTALLED := bin/memcgtop $(addprefix share/man/man1/,$(notdir $(MAN))) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

$(B)/completion.%: memcgtop
	$(Q)./memcgtop completion $* > $@

install: all $(B)/completion.bash $(B)/completion.zsh $(B)/completion.fish
	install -D -m 755 memcgtop $(DESTDIR)$(PREFIX)/bin/memcgtop
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(MAN) $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 $(B)/completion.bash $(DESTDIR)$(PREFIX)/$(BASH_COMPLETION)
	install -D -m 644 $(B)/completion.zsh $(DESTDIR)$(PREFIX)/$(ZSH_COMPLETION)
	install -D -m 644 $(B)/completion.fish $(DESTDIR)$(PREFIX)/$(FISH_COMPLETION)

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED))

clean:
	rm -rf $(B) memcgtop memcgtop.static $(MAN)
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
