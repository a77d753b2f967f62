# SPDX-License-Identifier: MIT
# Every file that a command, its drain or a traced program opens or makes: closed on exec, not followed
# where others may write, for its owner only whatever the umask; as the kernel is asked for it.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need strace python3
strace -o /dev/null true 2>/dev/null || skip_all 'strace may not trace here'

umask 0
orders=$TACHO_BUILD/tests/e2e/cli_orders
calls=0
# strace stays as long as a drain that the command starts.
traced() # COMMAND..
{
	calls=$((calls + 1))
	strace -f -qq -y -e trace=open,openat,openat2,mkdir,mkdirat \
		-e signal=none -o "$TMP/calls.$calls" sh -c '"$@"; echo > "$0"' "$TMP/done.$calls" "$@" \
		> out 2>&1 < /dev/null &
	wait_until test -e "done.$calls"
}

traced "$TACHO" create one --output "$TMP/one"
traced "$TACHO" enable-event --session one 'shop:*'
traced "$TACHO" start one
traced "$orders" 100
traced "$TACHO" list
traced "$TACHO" status
traced "$TACHO" snapshot record one --output "$TMP/shot"
traced "$TACHO" stop one
traced "$TACHO" save one
traced "$TACHO" view "$TMP/one"
traced "$TACHO" stats "$TMP/one"
traced "$TACHO" create two --snapshot
traced "$TACHO" enable-event --session two 'shop:*'
traced "$TACHO" start two
traced "$orders" 100
traced "$TACHO" snapshot record two --output "$TMP/shot"
traced "$TACHO" destroy two
traced "$TACHO" record --output "$TMP/recorded" -- "$orders" 10
find "$TMP/one" "$TMP/shot" "$TMP/recorded" ! -type l -perm /007 > open_to_others
find "$TACHO_RUNTIME_DIR" ! -type l -perm /077 >> open_to_others
traced "$TACHO" destroy one
wait
cat calls.* > calls

# calls_that PYTHON-EXPRESSION of `call`, `path`, `ours`: prints those for which it is true
calls_that()
{
	python3 - "$1" <<-'END'
		import os, re, sys
		ours_at = tuple(os.environ[name] for name in ('TACHO_RUNTIME_DIR', 'TMP'))
		for call in open(os.environ['TMP'] + '/calls', errors='replace'):
		    if '= -1 ' in call or 'resumed>' in call or 'unfinished' in call:
		        continue
		    name = re.search(r'"([^"]*)"', call)
		    path = re.search(r'= \d+<([^>]*)>', call)
		    path = path.group(1) if path else name.group(1) if name else ''
		    of_test = tuple(ours_at[1] + name for name in ('/out', '/done.'))
		    ours = path.startswith(ours_at) and not path.startswith(of_test)
		    if eval(sys.argv[1]):
		        print(call, end='')
	END
}

none_that() # NAME EXPRESSION
{
	calls_that "$2" > found
	if [ -s found ]; then not_ok "$1" "$(head -n 5 found)"; else ok "$1"; fi
}

check the_calls_are_seen test "$(calls_that ours | wc -l)" -gt 100
none_that all_files_are_closed_on_exec \
	"'open' in call and ours and 'O_CLOEXEC' not in call"
# Programs are those who have absolute paths in it.
none_that no_link_in_the_runtime_directory_is_followed_by_a_program \
	"'open' in call and name and name.group(1).startswith(ours_at[0] + '/') \
	and 'O_NOFOLLOW' not in call"
# Tools follow what may be a link, with the rights of the user whose it is: session/ring_place.h.
none_that no_other_link_is_followed_by_a_tool \
	"'open' in call and path.startswith(ours_at[0] + '/') and 'O_DIRECTORY' not in call \
	and not any(word in call for word in ('O_NOFOLLOW', 'O_EXCL', '.rings', '.shards', 'events'))"
none_that files_are_made_for_their_owner_only \
	"'O_CREAT' in call and path.startswith(ours_at[0]) and not re.search(r', 0[0-7]00\\)', call)"
none_that directories_too \
	"'mkdir' in call and path.startswith(ours_at[0]) and not re.search(r', 0[0-7]00\\)', call)"
none_that no_trace_is_made_for_everybody \
	"'O_CREAT' in call and ours and not re.search(r', 0[0-7]+0\\)', call)"
if [ -s open_to_others ]; then
	not_ok nothing_has_rights_for_others_even_with_umask_0 "$(head -n 5 open_to_others)"
else
	ok nothing_has_rights_for_others_even_with_umask_0
fi

# ---- a program whose umask takes everything ----

other=$TACHO_RUNTIME_DIR/other
mkfifo go
(umask 0777 && TACHO_RUNTIME_DIR=$other exec "$orders" 5 wait) <>go >orders.out &
wait_until grep -q ready orders.out
find "$other" -type d -perm 700 -o -type f -perm 600 | wc -l > rights
find "$other" | wc -l > all
same a_program_whose_umask_is_0777_can_be_reached all rights
echo > go
wait
