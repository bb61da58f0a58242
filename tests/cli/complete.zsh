#!/usr/bin/env zsh
# SPDX-License-Identifier: GPL-2.0-only
# complete.zsh SCRIPT LINE WORDS: types LINE and a tab into a zsh that has read SCRIPT, and ends when WORDS are on the
# screen, which they must not be in LINE; or, for the caller's timeout, never.
zmodload zsh/zpty
zpty shell zsh -f -i
# quoted so that what is typed, which is echoed, is not what is waited for
zpty -w shell "PS1=; autoload -U compinit; compinit -D -u; source $1; stty cols 200; bindkey '^I' list-choices; echo REA''DY"
zpty -r -m shell shown '*READY*'
zpty -w -n shell "$2"$'\t'
zpty -r -m shell shown "*$3*"
zpty -d shell
