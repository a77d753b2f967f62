#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a terminal, `tacho help COMMAND` opens the manual page; where that cannot be, it prints the help.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

mkdir "$TMP/bin"
cat >"$TMP/bin/man" <<'END'
#!/bin/sh
[ -z "$NO_PAGES" ] || exit 16
[ "$1" = -w ] || echo "the page $1"
END
chmod +x "$TMP/bin/man"

on_terminal() # WORD..: into $TMP/typed
{
	PATH=$TMP/bin:$PATH python3 "$TACHO_SOURCE/tests/e2e/cli_terminal.py" "$TACHO" "$@" \
		>"$TMP/typed" 2>&1
}

check 'help_on_a_terminal_succeeds' on_terminal help create
check 'it_opens_the_page' has "$TMP/typed" 'the page tacho-create'
on_terminal help snapshot record
check 'two_words_have_the_page_of_the_first' has "$TMP/typed" 'the page tacho-snapshot'
on_terminal help help
check 'help_has_the_page_of_tacho' has "$TMP/typed" 'the page tacho'
on_terminal create --help
check 'the_option_prints_the_help' has "$TMP/typed" 'Usage: tacho create'
NO_PAGES=1 on_terminal help create
check 'without_the_page_help_prints_the_help' has "$TMP/typed" 'Usage: tacho create'
PATH=$TMP/bin:$PATH "$TACHO" help create >"$TMP/typed"
check 'without_a_terminal_help_prints_the_help' has "$TMP/typed" 'Usage: tacho create'
