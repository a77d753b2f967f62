#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Completion: what may follow is known to tacho, and a shell with the completion loaded offers it.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

orders=$TACHO_BUILD/tests/e2e/cli_orders
export HOME=$TMP/home
mkdir "$HOME"

offers() # NAME EXPECTED WORD..: tacho complete prints exactly these words, in this order
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" | tr ' ' '\n' | sed '/^$/d' >"$TMP/expected"
	"$TACHO" complete -- "$@" 2>"$TMP/err" | cut -f1 >"$TMP/actual"
	[ ! -s "$TMP/err" ] || show "$TMP/err"
	same "$name" "$TMP/expected" "$TMP/actual"
}

offers 'a_command_is_completed' 'stats start stop status' st
offers 'there_is_nothing_for_what_begins_no_command' '' frob
offers 'commands_for_scripts_are_not_offered' '' comple
check 'all_commands_are_offered' test \
	"$("$TACHO" help --json | jq -r '.commands[].name' | cut -d' ' -f1 | sort -u)" = \
	"$("$TACHO" complete -- '' | cut -f1 | sort -u)"
offers 'the_second_word_of_a_command_is_completed' 'record' snapshot rec
offers 'without_sessions_there_is_none_to_complete' '' start x

"$TACHO" create --snapshot --buffer 64K box >"$TMP/out" || exit 1
"$TACHO" enable-event 'shop:*' >"$TMP/out" || exit 1
"$TACHO" create --snapshot --buffer 64K 'two words' >"$TMP/out" || exit 1
mkfifo "$TMP/to" "$TMP/from"
"$orders" 2 wait <"$TMP/to" >"$TMP/from" &
pid=$!
exec 7>"$TMP/to" 8<"$TMP/from"
read -r _ <&8

offers 'a_session_is_completed' 'box' start b
offers 'a_session_is_completed_behind_its_option' 'box' enable-event -s b
offers 'a_session_is_completed_in_its_option' '--session=box' enable-event --session=b
offers 'the_second_session_is_completed_as_well' 'box' destroy 'two words' b
offers 'a_channel_of_the_named_session_is_completed' 'channel0' enable-event -s box -c c
offers 'the_current_session_has_no_channel_yet' '' enable-event -c c
offers 'an_event_of_a_running_program_is_completed' 'shop:order_placed' enable-event shop:o
offers 'the_last_event_of_a_list_is_completed' 'a,shop:closed' enable-event a,shop:c
offers 'what_a_rule_says_is_completed' 'shop:*' disable-event -s box 'shop:*'
offers 'a_level_is_completed' 'warning' enable-event --loglevel w
offers 'a_condition_is_completed' 'channel-usage-over channel-usage-under' add-trigger --condition ch
offers 'an_action_is_completed' 'snapshot-session' add-trigger --condition events-lost --action sn
offers 'a_form_of_times_is_completed' 'relative raw' view --time r
offers 'an_event_to_be_viewed_is_completed' 'a,shop:closed' view --event a,shop:c
offers 'an_event_with_a_field_is_completed' 'shop:order_placed' stats --field shop:o
offers 'a_session_to_be_counted_is_completed' ':dirs box' stats b
offers 'an_event_that_is_a_counter_is_completed' 'a,shop:order_placed' export --counter a,shop:o
offers 'the_end_of_a_span_is_completed' 'a,shop:closed' export --span a,shop:c
offers 'where_an_export_goes_is_completed' ':files' export --output x
offers 'a_context_is_completed' 'procname' add-context -t pro
offers 'the_options_of_a_command_are_completed' '--loglevel --loglevel-only' enable-event --log
offers 'an_option_is_completed_before_its_value_is_there' '--blocking-timeout' create --blo
offers 'a_word_of_the_help_stands_for_itself' 'inf' create --blocking-timeout i
"$TACHO" save box >"$TMP/out"
"$TACHO" save 'two words' >"$TMP/out"
printf 'box\ntwo words\n' >"$TMP/expected"
"$TACHO" complete -- load '' | grep -v -e '^--' >"$TMP/actual"
same 'saved_sessions_are_completed_for_load' "$TMP/expected" "$TMP/actual"
offers 'a_pid_is_completed' "$pid :files" list "${pid%?}"
offers 'a_program_is_completed' 'cli_orders' track --exec cli
offers 'the_last_program_of_a_list_is_completed' 'a,cli_orders' enable-event --exec a,cli
offers 'a_program_is_completed_by_its_path' "$(realpath "$orders")" track --exec "/${TACHO_BUILD:1:1}"
offers 'a_program_of_a_trigger_is_completed' 'cli_orders' \
	add-trigger --condition event-rule-matches --exec cli
offers 'one_dash_begins_an_option' '--help' start -
offers 'what_stands_for_a_command_is_completed' '--version' --v
offers 'one_dash_begins_what_stands_for_a_command' '--help --version' -
offers 'directories_are_left_to_the_shell' ':dirs' create -o ''
offers 'programs_are_left_to_the_shell' ':programs' record -- l
offers 'what_a_program_takes_is_left_to_the_shell' ':files' record -- ls --al
offers 'behind_two_dashes_there_is_no_option' 'box' start -- b
offers 'a_value_is_not_taken_for_an_option' '' create --buffer --ov

# A function of the completion asks for the words as readline takes the line apart.
bash_offers() # NAME EXPECTED LINE: what bash would put in the place of the last word; | between two
{
	printf '%s\n' "$2" | tr '|' '\n' >"$TMP/expected"
	bash --norc -c '
		. "$TACHO_SOURCE/share/bash-completion/completions/tacho"
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=${#1}
		mapfile -t COMP_WORDS < <(grep -oE "[:=]+|[^:=[:space:]]+" <<<"$1")
		[[ $1 != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_tacho tacho
		printf "%s\n" "${COMPREPLY[@]}"' bash "$3" >"$TMP/actual" 2>"$TMP/err"
	sed -i '/^$/d' "$TMP/actual"
	show "$TMP/err"
	same "$1" "$TMP/expected" "$TMP/actual"
}

bash_offers 'bash_completes_a_command' 'stats|start|stop|status' 'tacho st'
bash_offers 'bash_completes_a_session' 'box' 'tacho start b'
bash_offers 'bash_completes_behind_a_space' 'box|two\ words' 'tacho enable-event --session '
bash_offers 'bash_completes_behind_an_equals_sign' 'box' 'tacho enable-event --session=b'
bash_offers 'bash_completes_an_event_behind_its_colon' 'closed' 'tacho enable-event shop:c'
bash_offers 'bash_completes_an_event_before_its_colon' 'shop:\*|shop:order_placed|shop:closed' \
	'tacho enable-event -s box sho'
mkdir -p "$TMP/traces/one"
bash_offers 'bash_completes_directories' 'traces/one' 'tacho create -o traces/o'
bash_offers 'bash_completes_directories_behind_an_equals_sign' 'traces/one' \
	'tacho create --output=traces/o'

# And once as a person does it: on a terminal, with the tabulator.
cat >"$TMP/type.py" <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
text = b''
while b'ready>' not in text:
    text += os.read(fd, 4096)
os.write(fd, sys.argv[1].encode() + b'\t; exit\r')
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    text += data
sys.stdout.buffer.write(text)
os.waitpid(pid, 0)
END
types() # LINE SHELL..: what a terminal shows when the line is typed, then a tabulator
{
	TERM=dumb INPUTRC=/dev/null timeout 60 python3 "$TMP/type.py" "$@" >"$TMP/typed" 2>&1
}

cat >"$TMP/bashrc" <<'END'
PS1='ready>'
bind 'set bell-style none' 'set enable-bracketed-paste off'
. "$TACHO_SOURCE/share/bash-completion/completions/tacho"
END
case_name='the_tabulator_completes_in_a_real_bash'
if command -v python3 >/dev/null; then
	types 'tacho status --js' bash --noprofile --rcfile "$TMP/bashrc" -i
	check "$case_name" has "$TMP/typed" '"name": "two words"'
else
	skip "$case_name" 'python3 is not installed'
fi

export ZDOTDIR=$TMP
cat >"$TMP/.zshrc" <<'END'
PS1='ready>'
unsetopt zle_bracketed_paste prompt_cr prompt_sp
fpath=("$TACHO_SOURCE/share/zsh/site-functions" $fpath)
autoload -U compinit
compinit -u -D
END
case_name='the_tabulator_completes_in_a_real_zsh'
if command -v python3 >/dev/null && command -v zsh >/dev/null; then
	types 'tacho status --js' zsh -i
	check "$case_name" has "$TMP/typed" '"name": "two words"'
	types 'tacho status --json tw' zsh -i
	check 'zsh_quotes_what_it_completes' has "$TMP/typed" '"name": "two words"'
else
	skip "$case_name" 'zsh or python3 is not installed'
fi

echo >&7
wait "$pid"
"$TACHO" destroy --all >"$TMP/out"
