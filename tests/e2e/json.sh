#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is printed as JSON is what doc/man/tacho-json.7.scd says: each member that is printed is there, with
# its type, and each that is there is printed, by sessions in which everything is set.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq gcc

page=$TACHO_SOURCE/doc/man/tacho-json.7.scd
orders=$TACHO_BUILD/tests/e2e/cli_orders
export HOME=$TMP/home
mkdir "$HOME"

documented() # SECTION: lines "PATH TYPE"; the type with its ?
{
	awk -v section="# $1" '
		/^# / { inside = $0 == section }
		inside && /^\./ && $1 != ".triggers[]" && !/\.NAME/ {
			sub("^number", "count", $2); print $1, $2 }' "$page"
}

printed() # FILE..: lines "PATH TYPE"
{
	jq -r 'paths(type != "object" and type != "array") as $p |
		(($p | map(if type == "number" then "[]" else "." + . end) | join("")) + " " +
		 (getpath($p) | type |
		  {"string": "text", "boolean": "bool", "number": "count"}[.] // .))' "$@" | sort -u
}

agrees() # NAME SECTIONS FILE..: the sections, separated by /, say what the files have
{
	local name=$1 sections=$2 section
	shift 2
	tr '/' '\n' <<<"$sections" | while read -r section; do documented "$section"; done >"$TMP/said"
	sed 's/?$//' "$TMP/said" | sort -u >"$TMP/expected"
	printed "$@" >"$TMP/actual"
	[ -s "$TMP/expected" ] || not_ok "$name" "nothing is said about $sections"
	same "$name" "$TMP/expected" "$TMP/actual"
}

always() # NAME SECTION FILE: what is documented without a ? is there, arrays apart
{
	local missing
	missing=$(comm -23 <(documented "$2" | grep -v -e '?$' -e '\[\]' | sort) <(printed "$3"))
	[ -z "$missing" ] && ok "$1" && return
	not_ok "$1" "missing: $missing"
}

do_commands()
{
	local line
	while IFS= read -r line; do
		eval "\"\$TACHO\" $line" >"$TMP/log" 2>&1 && continue
		printf '# failed: tacho %s\n' "$line"
		show "$TMP/log"
		return 1
	done
}

# ---- where there is nothing

prints_json() # NAME STATUS ARGUMENT..: what is printed is JSON, with this exit status
{
	local name=$1 status=$2
	shift 2
	"$TACHO" "$@" >"$TMP/out.json" 2>"$TMP/err"
	check "${name}_has_its_status" test $? = "$status"
	check "${name}_is_json" jq -e . "$TMP/out.json"
}

prints_json 'list_of_nothing' 0 list --json
prints_json 'list_triggers_of_nothing' 0 list-triggers --json
check 'list_triggers_of_nothing_is_an_empty_array' jq -e '.triggers == []' "$TMP/out.json"
prints_json 'snapshot_list_output_of_nothing' 1 snapshot list-output --json
check 'snapshot_list_output_of_nothing_is_an_empty_array' jq -e '.outputs == []' "$TMP/out.json"
prints_json 'status_of_nothing' 1 status --json
prints_json 'status_of_nobody' 1 status --json nobody
prints_json 'list_of_nobody' 1 list --json nobody
check 'and_that_is_an_empty_object' jq -e '. == {}' "$TMP/out.json"
prints_json 'version' 0 version --json
agrees 'version_prints_what_is_documented' 'tacho version' "$TMP/out.json"

# ---- where everything is set

mkfifo "$TMP/to" "$TMP/from"
"$orders" 2 wait <"$TMP/to" >"$TMP/from" &
pid=$!
exec 7>"$TMP/to" 8<"$TMP/from"
read -r _ <&8

check 'sessions_with_everything_are_made' do_commands <<END
create --snapshot --buffer 64K box
snapshot add-output -n crash -m 1M '$TMP/shots'
create -o '$TMP/web' --max-size 1G web
enable-channel --buffer 64K --tracefile-size 1M --tracefile-count 2 one
enable-channel --buffer 64K --blocking-timeout 1000 two
add-context -c one -t vpid
enable-event -c one --filter 'total > 1' --exclude 'shop:x' --loglevel debug --exec '*' 'shop:*'
enable-event -c one --loglevel-only warning --pid $pid 'shop:*'
track --vpid=$pid
track --vuid=$(id -u)
track --vgid=$(id -g)
track --exec='*'
track --descendants=1
add-trigger --name crash --condition event-rule-matches --name 'a:*' --filter 'a > 1' \
	--exclude-name 'a:b' --log-level err.. --exec x --pid 1 --action run true
add-trigger -s web --name level --condition event-rule-matches --name 'a:*' \
	--log-level err --action snapshot-session box
add-trigger --name full --condition channel-usage-over 90% --channel one --action stop-session
add-trigger --name large --condition session-size-over 1G --action stop-session
enable-rotation --timer 1h --size 1G
start
create --snapshot --buffer 64K empty
END

"$TACHO" list --json >"$TMP/list.json"
agrees 'list_prints_what_is_documented' 'tacho list' "$TMP/list.json"
"$TACHO" list --json "$orders" >"$TMP/list-file.json"
agrees 'list_of_a_file_prints_what_is_documented' 'tacho list FILE' "$TMP/list-file.json"
"$TACHO" status --json web >"$TMP/status.json"
agrees 'status_prints_what_is_documented' \
	'tacho status, tacho list SESSION/tacho list-triggers' "$TMP/status.json"
"$TACHO" list --json web >"$TMP/list-web.json"
agrees 'list_of_a_session_prints_what_is_documented' \
	'tacho status, tacho list SESSION/tacho list-triggers' "$TMP/list-web.json"
"$TACHO" status --json empty >"$TMP/empty.json"
always 'a_session_without_anything_has_what_is_always_there' 'tacho status, tacho list SESSION' \
	"$TMP/empty.json"
"$TACHO" list-triggers --json >"$TMP/triggers.json"
agrees 'list_triggers_prints_what_is_documented' 'tacho list-triggers' "$TMP/triggers.json"
"$TACHO" snapshot list-output --json -s box >"$TMP/outputs.json"
agrees 'snapshot_list_output_prints_what_is_documented' 'tacho snapshot list-output' "$TMP/outputs.json"
"$TACHO" add-context --list --json >"$TMP/contexts.json"
agrees 'add_context_prints_what_is_documented' 'tacho add-context --list' "$TMP/contexts.json"
"$TACHO" doctor --json >"$TMP/doctor.json"
agrees 'doctor_prints_what_is_documented' 'tacho doctor' "$TMP/doctor.json"
"$TACHO" help --json >"$TMP/help.json"
agrees 'help_prints_what_is_documented' 'tacho help' "$TMP/help.json"

"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 1 100000 >"$TMP/log" 2>&1
"$TACHO" record -o "$TMP/known" --malloc --libs -- "$TACHO_BUILD/tests/e2e/known_values" 10 locks \
	>"$TMP/log" 2>&1
"$TACHO" stats --json "$TMP/lossy" >"$TMP/stats-lossy.json"
"$TACHO" stats --json --field numbers:value.half --latency net:request,net:response --latency work:step \
	--key id --malloc --symbols --locks "$TMP/known" >"$TMP/stats-asked.json"
echo 'void step(void) {} int main(void) { step(); return 0; }' >"$TMP/steps.c"
gcc -finstrument-functions -o "$TMP/steps" "$TMP/steps.c"
"$TACHO" record -o "$TMP/functions" --functions --libs -- "$TMP/steps" >"$TMP/log" 2>&1
"$TACHO" stats --json --functions --symbols "$TMP/functions" >"$TMP/stats-functions.json"
agrees 'stats_prints_what_is_documented' 'tacho stats' "$TMP"/stats-{lossy,asked,functions}.json

"$TACHO" create seen -o "$TMP/seen" >"$TMP/log" 2>&1
do_commands <<'END'
enable-event -s seen '*'
add-context -s seen -t procname
start seen
END
"$TACHO_BUILD/tests/e2e/known_values" 1 >"$TMP/log" 2>&1
"$TACHO" destroy seen >"$TMP/log" 2>&1
find "$TMP/seen" -name 'channel0_*' -not -path '*/index/*' -exec sh -c 'echo damage >>"$1"' - {} \;
"$TACHO" info --json "$TMP/lossy" "$TMP/seen" | jq 'del(.traces[].env)' >"$TMP/info.json"
agrees 'info_prints_what_is_documented' 'tacho info' "$TMP/info.json"

jq -r '.commands[] | select(any(.options[]; .name == "json")) | .name' "$TMP/help.json" |
	while read -r command; do
		grep -q "^# .*tacho $command\\b" "$page" || echo "$command"
	done >"$TMP/missing"
check 'every_command_with_json_has_its_section' test ! -s "$TMP/missing"
show "$TMP/missing"

exits() # NAME STATUS ARGUMENTS..
{
	local name=$1 status=$2
	shift 2
	expect_case "$name" "$status" "$TACHO" "$@"
}
exits 'done_is_0' 0 list
exits 'a_failure_is_1' 1 status nobody
exits 'wrong_use_is_2' 2 status --nonsense
exits 'what_cannot_be_executed_is_126' 126 record -o "$TMP/r1" -- "$TMP/list.json"
exits 'what_is_not_found_is_127' 127 record -o "$TMP/r2" -- "$TMP/nothing"
exits 'a_signal_is_128_and_its_number' 143 record -o "$TMP/r3" -- sh -c 'kill -TERM $$'

echo >&7
wait "$pid"
"$TACHO" destroy --all >"$TMP/out"
