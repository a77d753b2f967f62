#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong use ends with status 2, says what is wrong, and what to do; nothing is made.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

refused() # NAME TEXT ARGUMENTS..: status 2, TEXT on the standard error output, nothing else
{
	local name=$1 text=$2
	shift 2
	if expect_exit 2 "$TACHO" "$@" && has "$TMP/err" "$text" && [ ! -s "$TMP/out" ]; then
		ok "$name"
	else
		not_ok "$name" "wrong answer to: tacho $*"
		show "$TMP/out" "$TMP/err"
	fi
}

refused 'no_command_is_refused' 'a command is missing'
refused 'an_unknown_command_is_refused' "there is no command 'frobnicate'" frobnicate
refused 'an_unknown_command_points_to_the_list' 'tacho help' frobnicate
refused 'a_mistyped_command_finds_its_neighbour' 'did you mean: tacho record' recrod
refused 'a_mistyped_longer_command_finds_its_neighbour' 'did you mean: tacho enable-event' enable-events
refused 'an_option_before_the_command_is_refused' 'there is no option --verbose' --verbose list
refused 'another_option_before_the_command_points_to_the_list' 'tacho help' --nonsense list
refused 'an_option_of_lttng_says_what_does_it_here' 'tacho list --json' --mi=xml list
refused 'also_a_letter_of_it' 'there is no daemon' -n list
refused 'the_begin_of_a_command_finds_it' 'did you mean: tacho enable-event' enable
refused 'a_plural_finds_its_command' 'did you mean: tacho snapshot' snapshots
refused 'snapshot_with_an_unknown_word_says_so' "there is no command 'snapshot take'" snapshot take
refused 'help_of_an_unknown_command_is_refused' 'did you mean: tacho view' help veiw

while read -r command; do
	# shellcheck disable=SC2086
	refused "an_unknown_option_of_'$command'_is_refused" 'there is no option --nonsense' \
		$command --nonsense
	# shellcheck disable=SC2086
	refused "an_unknown_letter_of_'$command'_is_refused" 'there is no option -Z' $command -Z
	has "$TMP/err" "tacho $command --help" || not_ok "'$command'_points_to_its_help" 'it does not'
done < <("$TACHO" help | sed -n 's/^  \([a-z][a-z-]*\( [a-z-]*\)\?\)  .*/\1/p')
for command in view create set-session start stop clear save load rotate 'snapshot record' list status; do
	# shellcheck disable=SC2086
	refused "a_second_argument_of_'$command'_is_refused" "'two' is one argument too many" \
		$command one two
done
for command in track untrack; do
	refused "${command}_takes_no_argument" "'here' is one argument too many" $command here
done
refused 'a_second_word_is_missing' 'a second word is missing' regenerate
refused 'a_second_word_has_its_neighbour' 'did you mean: tacho regenerate metadata' regenerate metadat
refused 'a_second_word_is_one_of_these' 'there may be: metadata, statedump' regenerate x
refused 'doctor_takes_no_argument' "'here' is one argument too many" doctor here

refused 'a_session_without_a_name_is_refused' "'' is no name, but empty" create ''
refused 'a_trace_without_a_name_is_refused' "'' is no name, but empty" view ''
for command in create cut repair 'snapshot record'; do
	# shellcheck disable=SC2086
	refused "a_directory_without_a_name_is_refused_by_'$command'" "--output: '' is no value" \
		$command -o ''
done
refused 'merge_into_nowhere_is_refused' "--output: '' is no value" merge -o '' one two
refused 'a_file_without_a_name_is_refused' "--sqlite: '' is no value" export --sqlite ''
refused 'dashes_are_no_directory' '--output needs a directory before the --' record -o -- true
refused 'a_buffer_of_nothing_is_refused' "--buffer: '' is no value" record --buffer= -- true
refused 'more_buffer_than_there_may_be_is_refused' 'out of range' create --buffer 1T

refused 'a_mistyped_option_finds_its_neighbour' 'did you mean --buffer?' record --bufer 1M -- true
refused 'an_option_without_its_value_is_refused' '--buffer needs a value' record --buffer
refused 'a_value_for_a_switch_is_refused' '--malloc=3' record --malloc=3 -- true
refused 'record_without_a_program_is_refused' 'a program to run is missing' record
refused 'record_with_nothing_behind_the_dashes_is_refused' 'a program to run is missing' record --
refused 'enable_event_without_a_pattern_is_refused' 'a pattern is missing' enable-event
refused 'disable_event_without_a_pattern_is_refused' 'a pattern is missing' disable-event
refused 'enable_channel_without_a_name_is_refused' 'the name of a channel is missing' enable-channel
refused 'disable_channel_without_a_name_is_refused' 'the name of a channel is missing' disable-channel
refused 'an_empty_pattern_is_refused' 'a pattern is empty' record -e '' -- true
refused 'a_pattern_of_600_bytes_is_refused' 'a pattern has 600 bytes' \
	record -e "$(printf '%600s' x)" -- true

for size in x 8Q -1 ' 8' 8M8 1.5M 0x10; do
	refused "a_buffer_of_'$size'_is_refused" "is not a number of bytes" \
		record "--buffer=$size" -- true
done
for size in 0 1 15K 17G 99999999999999999999 17179869184G; do
	refused "a_buffer_of_${size}_is_out_of_range" 'is out of range: 16K to 16G' \
		record --buffer "$size" -- true
done
refused 'an_unknown_level_is_refused' "there is no level 'loud'" record --loglevel loud -- true
refused 'a_mistyped_level_finds_its_neighbour' 'did you mean warning?' record --loglevel warnin -- true
refused 'the_begin_of_a_level_finds_it' 'did you mean warning?' record --loglevel warn -- true
refused 'a_level_of_15_is_refused' "there is no level '15'" record --loglevel-only 15 -- true
refused 'two_kinds_of_level_are_refused' 'exclude each other' \
	record --loglevel err --loglevel-only err -- true
refused 'two_modes_are_refused' 'exclude each other' create --overwrite --discard x
refused 'a_flight_recorder_that_blocks_is_refused' 'exclude each other' \
	create --snapshot --blocking-timeout inf x
refused 'a_timeout_that_is_no_number_is_refused' 'is not a number of microseconds' \
	create --blocking-timeout soon x
refused 'a_channel_without_its_session_is_refused' '--channel is of a session' list --channel c
refused 'a_domain_without_its_session_is_refused' '--domain is of a session' list -d
refused 'all_and_a_name_are_refused' "--all leaves no room for 'x'" destroy --all x
refused 'a_summary_with_times_is_refused' 'have no meaning' view --summary --relative
refused 'two_kinds_of_time_are_refused' 'exclude each other' view --relative --delta

check 'nothing_was_made' test -z "$(ls -A "$TACHO_RUNTIME_DIR")"
