#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --malloc --locks --libs --functions: real programs, unmodified, print and return what
# they would without all of these, and each process tells its libraries.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"

# STDERR FILE: the program's own standard error goes there, since tacho writes to it as well.
cat >"$TMP/apart" <<'END'
err=$1
shift
exec "$@" 2>"$err"
END

# NAME COMMAND..: in a directory of its own each time, without and with the helpers.
runs_the_same()
{
	local name=$1 plain=0 recorded=0
	shift
	mkdir -p "$TMP/$name.plain" "$TMP/$name.recorded"
	(cd "$TMP/$name.plain" && exec "$@" >"$TMP/$name.out1" 2>"$TMP/$name.err1" </dev/null) || plain=$?
	(cd "$TMP/$name.recorded" && exec "$TACHO" record --malloc --locks --libs --functions --buffer 16M \
		-o "$TMP/$name.trace" -- sh "$TMP/apart" "$TMP/$name.err2" "$@" \
		>"$TMP/$name.out2" 2>"$TMP/$name.summary" </dev/null) || recorded=$?
	same "${name}_prints_the_same" "$TMP/$name.out1" "$TMP/$name.out2"
	same "${name}_complains_the_same" "$TMP/$name.err1" "$TMP/$name.err2"
	check "${name}_ends_with_the_same_status" test "$plain" = "$recorded"
	check "${name}_loses_no_event" has "$TMP/$name.summary" 'nothing lost'
	"$TACHO" view --summary "$TMP/$name.trace" >"$TMP/$name.counts" 2>/dev/null
	check "${name}_completes_each_state_dump" test "$(count "$name" lttng_ust_statedump:start)" = \
		"$(count "$name" lttng_ust_statedump:end)"
}

count() # NAME EVENT
{
	sed -n "s/^ *\([0-9,]*\) .* $2\$/\1/p" "$TMP/$1.counts" | tr -d , | grep . || echo 0
}

installed() # COMMAND NAME: or skip it
{
	command -v "$1" >/dev/null && return
	skip "${2}_prints_the_same" "$1 is not installed"
	return 1
}

# ---- python3: threads, locks, condition variables, modules that are loaded, a child, a failure

python=$(python3 -c 'import sys; print(sys.executable)')
cat >"$TMP/program.py" <<'END'
import ctypes
import json
import os
import queue
import sys
import threading

numbers = queue.Queue(3)
lock = threading.Lock()
total = 0


def add():
    global total
    while (number := numbers.get()) is not None:
        with lock:
            total += number


threads = [threading.Thread(target=add) for _ in range(4)]
for thread in threads:
    thread.start()
for number in range(500):
    numbers.put(number)
for _ in threads:
    numbers.put(None)
for thread in threads:
    thread.join()
print(json.dumps({'total': total}), ctypes.CDLL('libm.so.6') is not None)
sys.stdout.flush()
if not os.fork():
    print('child', flush=True)
    os._exit(0)
os.wait()
print('to stderr', file=sys.stderr)
sys.exit(3)
END
runs_the_same python "$python" "$TMP/program.py"
check 'python_loads_its_modules' test "$(count python lttng_ust_dl:dlopen)" -ge 1
check 'python_has_a_state_dump_of_its_child' test "$(count python lttng_ust_statedump:start)" -ge 2

# ---- git: processes and threads

cat >"$TMP/repository" <<'END'
set -e
git init -q -b main .
for i in 1 2 3 4; do
	seq "$i" $((i * 400)) >"file$i"
	git add .
	git commit -q -m "number $i"
done
git -c pack.threads=4 gc --quiet
git fsck --no-progress
git log --stat
git branch no-such-branch no-such-commit
END
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=someone GIT_AUTHOR_EMAIL=someone@example.org
export GIT_COMMITTER_NAME=someone GIT_COMMITTER_EMAIL=someone@example.org
export GIT_AUTHOR_DATE='2001-02-03 04:05:06 +0000' GIT_COMMITTER_DATE='2001-02-03 04:05:06 +0000'
if installed git git; then
	runs_the_same git sh "$TMP/repository"
	check 'git_locks' test "$(count git lttng_ust_pthread:pthread_mutex_lock_acq)" -ge 10
	check 'git_asks_as_often_as_it_gets' test "$(count git lttng_ust_pthread:pthread_mutex_lock_acq)" = \
		"$(count git lttng_ust_pthread:pthread_mutex_lock_req)"
fi

# ---- sort with threads, sqlite3, perl, a shell

seq 200000 | awk '{ print ($1 * 7919) % 400009, "line", $1 }' >"$TMP/lines"
runs_the_same sort sort --parallel=4 -S 8M -k1,1n "$TMP/lines"
check 'sort_locks_and_unlocks' test "$(count sort lttng_ust_pthread:pthread_mutex_lock_acq)" = \
	"$(count sort lttng_ust_pthread:pthread_mutex_unlock)"
cat >"$TMP/script.sql" <<'END'
create table t (id integer primary key, name text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
	insert into t select i, 'name ' || (i * 7919 % 5003) from n;
select count(*), min(name), max(name), sum(length(name)) from t;
select * from no_such_table;
END
if installed sqlite3 sqlite3; then
	runs_the_same sqlite3 sqlite3 -bail database ".read $TMP/script.sql"
fi
if installed perl perl; then
	# shellcheck disable=SC2016
	runs_the_same perl perl -MPOSIX -MList::Util=sum -e 'print sum(map { floor($_ / 3) } 1 .. 999), "\n";
		die "as it should\n"'
	check 'perl_loads_its_modules' test "$(count perl lttng_ust_dl:dlopen)" -ge 2
fi
# shellcheck disable=SC2016
runs_the_same bash bash -c 'for i in 1 2 3; do echo "$i $(echo "sub $i" | tr s S)"; done; (exit 5)'

# ---- an allocator that has locks of its own, in front of which all of this stands

for allocator in jemalloc tcmalloc_minimal; do
	library=$(ldconfig -p | sed -n "s/.*lib$allocator\.so.* => //p" | head -n 1)
	if [ -z "$library" ]; then
		skip "under_${allocator}_sort_prints_the_same" "$allocator is not installed"
		continue
	fi
	LD_PRELOAD=$library runs_the_same "$allocator" sort --parallel=4 -S 8M -k1,1n "$TMP/lines"
done
