#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rules: what is recorded, of whom, while they change under running programs; exact counts.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-rounds.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"

# A session that records already, with `first` in it.
begin()
{
	"$TACHO" destroy --all >"$TMP/out" 2>&1
	rm -rf "$TMP/trace"
	"$TACHO" create -o "$TMP/trace" --buffer 1M one >"$TMP/out"
	"$TACHO" start one >"$TMP/out" 2>&1
	program first
}

end()
{
	"$TACHO" stop >"$TMP/stop"
	leave first
	has "$TMP/stop" 'nothing lost' || not_ok 'nothing is lost' 'something is'
}

counts() # CASE ALPHA BETA ALARM
{
	count "$1, alpha" "$2" "$(recorded "$TMP/trace" alpha)"
	count "$1, beta" "$3" "$(recorded "$TMP/trace" beta)"
	count "$1, alarm" "$4" "$(recorded "$TMP/trace" alarm)"
}

rule() { "$TACHO" enable-event "$@" >"$TMP/out" || not_ok "enable-event $*" 'it fails'; }
no_rule() { "$TACHO" disable-event "$@" >"$TMP/out" || not_ok "disable-event $*" 'it fails'; }

# ---- which events

begin
rule 'round:alpha'
rule 'round:a*'
rule -a
rule '*:alpha' --loglevel info
rule 'round:*' -x 'round:beta'
round first 10
end
counts 'an_event_that_many_rules_match_is_recorded_once' 10 10 10

begin
rule 'round:*' --exclude 'round:al*'
round first 10
rule 'round:al*' --exclude 'round:alarm,round:b*'
round first 100
no_rule 'round:*'
round first 1000
end
counts 'excluded_names_are_left_out' 1100 110 0

begin
rule 'round:*' --loglevel warning
round first 10
rule 'round:beta' --loglevel-only debug_line
round first 100
rule 'round:alpha' --loglevel-only warning
round first 1000
end
counts 'levels_choose_events' 0 1100 1110

begin
rule 'round:alpha,round:\*,round:be*a'
round first 10
end
counts 'lists_and_stars_choose_events' 10 10 0

# ---- change while recording

begin
round first 1
rule 'round:*'
round first 10
no_rule 'round:*'
round first 100
rule 'round:*'
round first 1000
no_rule --remove 'round:*'
round first 10000
rule 'round:beta'
round first 20000
no_rule --all-events
round first 40000
end
counts 'what_was_enabled_is_recorded_and_nothing_else' 1010 21010 1010

begin
rule 'round:alpha'
rule 'round:alpha' --loglevel warning
rule 'round:beta'
no_rule 'round:alpha'
"$TACHO" status >"$TMP/status"
count 'one_name_disables_all_rules_of_that_pattern' 2 "$(grep -c '^round:alpha .*disabled' "$TMP/status")"
rule 'round:alpha'
round first 10
"$TACHO" status >"$TMP/status"
count 'and_each_is_enabled_for_itself' 1 "$(grep -c '^round:alpha .*disabled' "$TMP/status")"
end
counts 'a_disabled_rule_can_be_enabled_again' 10 10 0

begin
rule 'round:alpha'
no_rule 'round:alpha'
expect_exit 0 "$TACHO" start
check 'disabled_rules_are_none_for_start' has "$TMP/err" 'no event is enabled'
end

# ---- of which programs

begin
cp "$rounds" "$TMP/till-1"
rule --exec 'till-*' 'round:alpha'
rule --exec "$rounds" 'round:beta'
program till "$TMP/till-1"
round first 10
round till 100
rule --pid "${pid_of[first]}" 'round:alarm'
round first 1000
round till 10000
leave till
end
counts 'a_rule_can_be_of_one_program' 10100 1010 1000
count 'a_program_by_its_name' 0 "$(recorded_of "$TMP/trace" first alpha)"
count 'a_process_by_its_number' 1000 "$(recorded_of "$TMP/trace" first alarm)"

begin
rule --exec 'till-*,other' --pid "${pid_of[first]},1" 'round:alpha'
"$TACHO" status --json >"$TMP/status"
check 'lists_of_programs_and_processes_are_combined' python3 -c '
import json, sys
rules = json.load(open(sys.argv[1]))["rules"]
wanted = [(e, p) for e in ("till-*", "other") for p in (int(sys.argv[2]), 1)]
sys.exit([(r["executable"], r["pid"]) for r in rules] != wanted)' "$TMP/status" "${pid_of[first]}"
round first 10
end
counts 'a_program_must_fit_in_all_that_a_rule_says' 0 0 0

# ---- what is refused

refused() # NAME STATUS TEXT ARGUMENTS
{
	local name=$1 status=$2 text=$3
	shift 3
	expect_case "$name" "$status" "$TACHO" enable-event "$@"
	check "${name}_with_words" has "$TMP/err" "$text"
}
"$TACHO" destroy --all >"$TMP/out"
"$TACHO" create -o "$TMP/none" one >"$TMP/out"
refused 'python_is_refused' 2 'nothing for this kind of logger' -p logger
refused 'nothing_at_all_is_refused' 2 'a pattern is missing, or --all'
refused 'all_and_some_are_refused' 2 'leaves nothing to name' --all 'a:*'
refused 'an_empty_name_is_refused' 2 'a pattern is empty' 'a:*,,b:*'
refused 'a_name_without_provider_is_refused' 1 "did you mean 'malloc:*'" malloc
refused 'to_exclude_all_is_refused' 1 'leaves nothing to record' -a -x '*'
refused 'a_process_that_is_none_is_refused' 2 'not a process id' --pid x 'a:*'
expect_case 'disable_event_needs_something' 2 "$TACHO" disable-event
expect_case 'disable_event_of_a_probe_is_refused' 2 "$TACHO" disable-event -k --probe x
check 'a_probe_is_disabled_by_its_name' has "$TMP/err" 'by its name alone'
patterns=$(seq -s, -f 'p:%g' 256)
expect_case 'there_may_be_256_rules' 0 "$TACHO" enable-event "$patterns"
refused 'one_more_is_refused' 1 'has 256 rules already' 'p:257'
check 'and_it_is_said_what_makes_room' has "$TMP/err" 'disable-event --remove'
expect_exit 0 "$TACHO" disable-event --remove p:1
expect_case 'a_removed_rule_makes_room' 0 "$TACHO" enable-event p:257
check 'a_refused_session_recorded_nothing' test ! -e "$TMP/none/ust"
"$TACHO" destroy --all >"$TMP/out"
