#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A session that is saved and loaded is the same again, whatever is in it; a file that is wrong says
# where, and leaves nothing behind.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq

orders=$TACHO_BUILD/tests/e2e/cli_orders
export HOME=$TMP/home
mkdir "$HOME"
unset XDG_CONFIG_HOME
saved=$HOME/.config/tacho/sessions

do_lines() # the commands of a file of a session, one by one, as a person would type them
{
	local line
	while IFS= read -r line; do
		eval "\"\$TACHO\" $line" >"$TMP/log" 2>&1 && continue
		printf '# failed: tacho %s\n' "$line"
		show "$TMP/log"
		return 1
	done
}

listed() # EXPRESSION: of jq, about the object of tacho list --json
{
	"$TACHO" list --json >"$TMP/list" && jq -e "$1" "$TMP/list" >/dev/null && return 0
	show "$TMP/list"
	return 1
}

same_after_load() # NAME LINES: make the session s, save, destroy, load, save: the same text
{
	if ! do_lines <<<"$2" || ! "$TACHO" save --force -o "$TMP/one" >"$TMP/log" 2>&1 ||
		! "$TACHO" destroy >"$TMP/log" 2>&1 ||
		! "$TACHO" load -i "$TMP/one" >"$TMP/log" 2>&1 ||
		! "$TACHO" save --force -o "$TMP/two" >>"$TMP/log" 2>&1; then
		not_ok "$1" 'it cannot be made, saved or loaded'
		show "$TMP/log" "$TMP"/one/*
		"$TACHO" destroy --all >"$TMP/log" 2>&1
		rm -f "$TMP"/one/* "$TMP"/two/*
		return
	fi
	if [ -n "${3:-}" ] && ! has "$(echo "$TMP"/one/*)" "$3"; then
		not_ok "$1" "not saved: $3"
	else
		same "$1" "$(echo "$TMP"/one/*)" "$(echo "$TMP"/two/*)"
	fi
	"$TACHO" destroy --all >"$TMP/log" 2>&1
	rm -f "$TMP"/one/* "$TMP"/two/*
}

# ---- the same again

same_after_load 'an_empty_session_is_the_same' 'create s'
same_after_load 'a_flight_recorder_is_the_same' 'create --snapshot --buffer 96K s' '--snapshot --buffer 96K'
same_after_load 'one_that_discards_is_the_same' 'create --snapshot --discard s' '--discard'
same_after_load 'one_that_blocks_is_the_same' 'create --blocking-timeout 1500 s' \
	'--blocking-timeout 1500'
same_after_load 'one_that_blocks_for_ever_is_the_same' 'create --blocking-timeout inf s' 'inf'
same_after_load 'a_limit_of_the_trace_is_the_same' 'create --max-size 10G s' '--max-size 10G'
same_after_load 'a_chosen_output_is_the_same' "create --snapshot -o '$TMP/shots here' s" \
	"--output '$TMP/shots here'"
same_after_load 'buffers_elsewhere_are_the_same' "create --snapshot --buffer 64K --shm-path '$TMP' s" \
	"--shm-path $TMP"
for name in 'two words' "it's" 'a/b' '#x' "-dash" '日本' '$HOME' 'back\slash'; do
	same_after_load "one_called_'$name'_is_the_same" "create --snapshot -- $(printf %q "$name")"
done
same_after_load 'one_whose_name_has_control_characters_is_the_same' $'create --snapshot $\'a\\nb\\033[31m\''
same_after_load 'channels_are_the_same' 'create --snapshot --buffer 64K s
enable-channel --buffer 32K small
enable-channel --discard --subbuf-size 16K --num-subbuf 4 "odd one"
enable-channel --buffer 64K --tracefile-size 1M --tracefile-count 3 files
enable-channel --buffer 64K --buffers-pid own
disable-channel small' 'disable-channel small'
same_after_load 'patterns_and_levels_are_the_same' 'create --snapshot --buffer 64K s
enable-event "shop:*"
enable-event --loglevel warning "a:b"
enable-event --loglevel-only debug_line "it'"'"'s:*"
enable-event "comma\\,in:*"
enable-event "star\\*:*"' "--loglevel-only debug_line 'it'\\''s:*'"
same_after_load 'filters_are_the_same' "create --snapshot --buffer 64K s
enable-event --filter 'total > 3 && customer == \"A*\"' 'shop:*'
enable-event --filter 'total < 1' 'shop:*'" "--filter 'total > 3"
same_after_load 'exclusions_are_the_same' "create --snapshot --buffer 64K s
enable-event 'shop:*' --exclude 'shop:closed,shop:x\\,y'" "--exclude 'shop:closed,shop:x\\,y'"
same_after_load 'rules_for_programs_are_the_same' "create --snapshot --buffer 64K s
enable-event --exec 'cash*' 'a:*'
enable-event --exec '/usr/bin/x y' 'b:*'
enable-event --pid 4711 'c:*'" '--pid 4711'
same_after_load 'rules_of_several_channels_are_the_same' "create --snapshot --buffer 64K s
enable-channel --buffer 64K one
enable-channel --buffer 64K two
enable-event -c one 'a:*'
enable-event -c two 'a:*'
enable-event -c two 'b:*'" '--channel two'
same_after_load 'disabled_rules_are_the_same' "create --snapshot --buffer 64K s
enable-event 'a:*'
enable-event 'b:*'
disable-event 'a:*'" "disable-event --channel channel0 'a:*'"
same_after_load 'a_disabled_rule_beside_one_of_its_pattern_is_the_same' "create --snapshot --buffer 64K s
enable-event --loglevel err 'a:*'
disable-event 'a:*'
enable-event 'a:*'" 'disable-event'
same_after_load 'contexts_are_the_same' 'create --snapshot --buffer 64K s
enable-channel --buffer 64K one
enable-channel --buffer 64K two
add-context -c one -t vpid -t procname
add-context -c two -t perf:thread:page-fault' '--type procname'
same_after_load 'trackers_are_the_same' "create --snapshot --buffer 64K s
track --vpid=1,4711
track --vuid=0
track --exec='cash*'
track --descendants=1
untrack --all --vgid" 'untrack --all --vgid'
same_after_load 'triggers_are_the_same' "create --snapshot --buffer 64K s
enable-channel --buffer 64K one
add-trigger --name crash --condition event-rule-matches --name 'app:crash' --action snapshot-session
add-trigger --name full --condition channel-usage-over 90% --channel one \
	--action run 'echo \"\$X\" it'\"'\"'s' --interval 1m
add-trigger --name lost --condition events-lost --action stop-session --rate-policy every:3" \
	'add-trigger --name crash'
same_after_load 'rotation_is_the_same' 'create --buffer 64K s
enable-rotation --timer 10s --size 1M' 'enable-rotation'
same_after_load 'where_snapshots_go_is_the_same' "create --snapshot --buffer 64K s
snapshot add-output --name crash --max-size 1M '$TMP/some where'" "--name crash"
same_after_load 'one_that_records_records_again' "create --snapshot --buffer 64K s
enable-event 'shop:*'
start" 'start'

# ---- what is loaded records

do_lines <<END
create -o '$TMP/first' web
enable-event --filter 'total > 2' 'shop:order*'
start
END
expect_case 'save_says_where' 0 "$TACHO" save
check 'a_file_has_the_name_of_its_session' test -e "$saved/web.tacho"
expect_case 'a_file_that_is_there_is_not_replaced' 1 "$TACHO" save
check 'it_says_how_to_replace_it' has "$TMP/err" 'save --force'
expect_case 'it_is_replaced_when_asked_to' 0 "$TACHO" save --force
"$TACHO" destroy >"$TMP/out"
rm -rf "$TMP/first"
expect_case 'it_is_loaded_by_its_name' 0 "$TACHO" load web
"$orders" 7
"$TACHO" stop >"$TMP/out"
check 'what_was_loaded_records' test \
	"$("$TACHO" view --json "$TMP/first" | jq -s '[.[] | select(.event)] | length')" = 7
expect_case 'one_that_is_there_is_not_replaced' 1 "$TACHO" load web
check 'it_says_what_to_do' has "$TMP/err" '--override-name'
expect_case 'another_name_and_place_may_be_given' 0 \
	"$TACHO" load web --override-name other --override-output "$TMP/second"
check 'it_has_that_name_and_place' \
	listed ".sessions[] | select(.name == \"other\") | .output == \"$TMP/second\""
expect_case 'the_place_may_be_given_as_a_url' 0 \
	"$TACHO" load web --override-name third "--override-url=file://$TMP/third"
check 'it_has_that_place' \
	listed ".sessions[] | select(.name == \"third\") | .output == \"$TMP/third\""
rm -rf "$TMP/first"
expect_case 'one_that_is_there_is_replaced_when_asked_to' 0 "$TACHO" load --force web
"$TACHO" destroy --all >"$TMP/out"
rm -rf "$TMP/first" "$TMP/second"

expect_exit 0 "$TACHO" create --snapshot --buffer 64K mine
expect_exit 0 "$TACHO" load web
expect_exit 0 "$TACHO" stop
check 'load_leaves_the_current_session_alone' has "$TMP/out" "'mine'"
expect_case 'all_are_saved' 0 "$TACHO" save --all --force
check 'all_have_their_file' test -e "$saved/mine.tacho"
expect_exit 0 "$TACHO" load --force mine
expect_exit 0 "$TACHO" stop
check 'what_replaces_the_current_session_is_current' has "$TMP/out" "'mine'"
"$TACHO" destroy --all >"$TMP/out"
rm -rf "$TMP/first"
expect_case 'all_are_loaded' 0 "$TACHO" load --all
check 'all_are_there_again' listed '[.sessions[].name] == ["mine", "web"]'
"$TACHO" destroy --all >"$TMP/out"
expect_exit 0 "$TACHO" create --snapshot mine
expect_case 'a_session_is_printed' 0 "$TACHO" save -o - mine
check 'the_print_is_that_of_the_file' has "$TMP/out" 'create --snapshot mine'
# 64 bytes of name, the mode, then how many sub-buffers there are.
perl -0777 -pi -e 's/(channel0\0{56}.{4}).{4}/$1\0\0\0\0/gs' "$TACHO_RUNTIME_DIR/sessions/mine/session"
expect_case 'a_channel_without_subbuffers_in_a_damaged_file_does_no_harm' 0 "$TACHO" save -o - mine
check 'what_is_wrong_with_it_is_seen' has "$TMP/out" '--num-subbuf 0'
"$TACHO" destroy >"$TMP/out"
rm -rf "$HOME/.config"
expect_case 'without_any_saved_session_load_fails' 1 "$TACHO" load
check 'it_says_how_to_save_one' has "$TMP/err" 'tacho save'
expect_case 'one_that_was_not_saved_cannot_be_loaded' 1 "$TACHO" load nobody

# ---- at login

mkdir -p "$HOME/.config/tacho/autoload"
printf 'create --snapshot --buffer 64K daily\nenable-event "*"\nstart\n' \
	>"$HOME/.config/tacho/autoload/daily.tacho"
expect_case 'what_is_to_be_there_from_login_on_is_loaded' 0 "$TACHO" load --autoload
check 'it_records' listed '.sessions[0] | .name == "daily" and .state == "recording"'
expect_case 'a_second_login_changes_nothing' 0 "$TACHO" load --autoload
check 'a_second_login_says_so' has "$TMP/out" 'is there already'
"$TACHO" destroy --all >"$TMP/out"
rm -rf "$HOME/.config"
expect_case 'nothing_to_load_at_login_is_no_failure' 0 "$TACHO" load --autoload

# ---- what is wrong in a file

wrong() # NAME PLACE TEXT LINES
{
	printf '%s' "$4" >"$TMP/wrong.tacho"
	if expect_exit 1 "$TACHO" load -i "$TMP/wrong.tacho" &&
		has "$TMP/err" "$TMP/wrong.tacho:$2: " && has "$TMP/err" "$3" &&
		"$TACHO" list --json | jq -e '.sessions == []' >"$TMP/list"; then
		ok "$1"
	else
		not_ok "$1" 'see the messages'
		show "$TMP/err" "$TMP/out"
		"$TACHO" destroy --all >"$TMP/out" 2>&1
	fi
}

wrong 'an_open_quote_is_found' 3:15 'not closed' '# a comment

enable-event  "x
start'
wrong 'an_unknown_command_is_found' 2:2 "'frob' has no place" 'create --snapshot s
 frob x'
for command in destroy record view load 'snapshot record' stop; do
	wrong "'$command'_has_no_place" 2:1 'has no place' "create --snapshot s
$command s"
done
wrong 'the_first_command_has_to_be_create' 1:1 'has to be create' 'start
create s'
wrong 'create_needs_a_name' 1:1 'needs a name' 'create --snapshot --buffer 64K'
wrong 'there_is_just_one_session_in_a_file' 2:1 'just one' 'create --snapshot a
create --snapshot b'
wrong 'another_session_is_found' 2:17 'another session' 'create --snapshot s
enable-event -s other "*"'
wrong 'another_session_to_start_is_found' 2:7 'another session' 'create --snapshot s
start other'
wrong 'an_unknown_option_is_found' 2:14 'no option --nonsense' 'create --snapshot s
enable-event --nonsense "*"'
wrong 'a_value_that_is_none_is_found' 3:14 "no level 'loud'" 'create --snapshot s
enable-event "x:*" \
  --loglevel loud'
wrong 'columns_are_counted_in_characters' 2:33 "no level 'loud'" 'create --snapshot s
enable-event "äöü:*" --loglevel loud'
wrong 'what_create_refuses_is_found' 1:19 '--buffer 1' 'create --snapshot --buffer 1 s'
wrong 'the_place_in_a_filter_is_told' 2:14 'column 9' "create --snapshot --buffer 64K s
enable-event --filter 'total > ' x:y"
wrong 'what_was_made_is_taken_back' 4:16 "channel 'none'" 'create --snapshot --buffer 64K s
enable-channel --buffer 64K one
enable-event -c one "*"
add-context -c none -t vpid
start'

wrong_file() # NAME TEXT PATH
{
	if expect_exit 1 "$TACHO" load -i "$3" && has "$TMP/err" "$2"; then
		ok "$1"
	else
		not_ok "$1" "not said: $2"
	fi
}
wrong_file 'a_file_that_is_not_there_is_told' 'No such file' "$TMP/none"
: >"$TMP/empty"
wrong_file 'an_empty_file_is_told' 'no session in it' "$TMP/empty"
printf 'create s\0' >"$TMP/binary"
wrong_file 'a_file_that_is_no_text_is_told' 'not a text' "$TMP/binary"
printf "%2000000s" "" | tr " " "#" >"$TMP/long"
wrong_file 'a_file_that_is_too_long_is_told' 'too long' "$TMP/long"

expect_case 'a_name_for_several_is_refused' 2 "$TACHO" load --override-name x
expect_case 'all_and_a_name_are_refused' 2 "$TACHO" load --all x
expect_case 'autoload_has_its_own_directories' 2 "$TACHO" load --autoload x
expect_case 'a_url_of_a_machine_is_refused' 2 "$TACHO" load --override-url net://x y
