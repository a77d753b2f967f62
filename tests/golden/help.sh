#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The help of each command says what golden/help/ says: it is read by scripts and by people who
# remember it. After a change that is meant: UPDATE=1 bash tests/golden/help.sh
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

golden=$TACHO_SOURCE/tests/golden/help
commands=$("$TACHO" help | sed -n 's/^  \([a-z][a-z-]*\( [a-z-]*\)\?\)  .*/\1/p')

expected() # NAME ACTUAL: the golden file, replaced when asked to
{
	[ "${UPDATE:-}" != 1 ] || cp "$2" "$golden/$1.txt"
	printf '%s\n' "$golden/$1.txt"
}

"$TACHO" help >"$TMP/actual"
same 'tacho_help_lists_the_commands' "$(expected tacho "$TMP/actual")" "$TMP/actual"
"$TACHO" --help >"$TMP/other"
same 'tacho_--help_is_tacho_help' "$TMP/actual" "$TMP/other"
"$TACHO" --version >"$TMP/actual"
check 'the_version_is_one_line' grep -qxE 'tacho [0-9]+\.[0-9]+\.[0-9]+' "$TMP/actual"

"$TACHO" snapshot --help >"$TMP/actual"
same 'tacho_snapshot_--help_is_that_of_snapshot_record' "$golden/snapshot-record.txt" "$TMP/actual"

page_of() # COMMAND: its manual page
{
	case $1 in
	help | version) echo "$TACHO_SOURCE/doc/man/tacho.1.scd" ;;
	*) echo "$TACHO_SOURCE/doc/man/tacho-${1%% *}.1.scd" ;;
	esac
}

page_is_listed() # COMMAND: in the page of tacho itself
{
	case $1 in
	help | version) has "$TACHO_SOURCE/doc/man/tacho.1.scd" "*$1*" ;;
	*) has "$TACHO_SOURCE/doc/man/tacho.1.scd" "*tacho-${1%% *}*(1)" ;;
	esac
}

options_documented() # HELP PAGE: each long option of the help is in the page
{
	local option
	for option in $(sed -n 's/^ .*\(--[a-z-]*\).*  .*/\1/p' "$1"); do
		[ "$option" = --help ] || has "$2" "*$option*" || return 1
	done
}

while read -r command; do
	# shellcheck disable=SC2086
	"$TACHO" $command --help >"$TMP/actual" 2>&1
	same "the_help_of_'$command'_is_the_golden_one" "$(expected "${command// /-}" "$TMP/actual")" \
		"$TMP/actual"
	# shellcheck disable=SC2086
	"$TACHO" help $command >"$TMP/other" 2>&1
	same "help_${command}_is_${command}_--help" "$TMP/actual" "$TMP/other"
	check "the_manual_page_of_tacho_lists_'$command'" page_is_listed "$command"
	check "the_manual_page_of_'$command'_has_all_options" \
		options_documented "$TMP/actual" "$(page_of "$command")"
done <<<"$commands"
check 'every_command_was_looked_at' test "$(wc -l <<<"$commands")" -ge 13
