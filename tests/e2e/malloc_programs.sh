#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --malloc: real programs, unmodified, print and return what they would without it, and
# what was recorded of their heap adds up.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"
pairs=$TACHO_SOURCE/tests/e2e/malloc_pairs.py

# STDERR FILE: the program's own standard error goes there, since tacho writes to it as well.
cat >"$TMP/apart" <<'END'
err=$1
shift
exec "$@" 2>"$err"
END

value() { sed -n "s/^$2 //p" "$TMP/$1.pairs"; } # RUN NUMBER

# NAME COMMAND..: in a directory of its own each time, without and with the wrapper.
runs_the_same()
{
	local name=$1 plain=0 recorded=0
	shift
	mkdir -p "$TMP/$name.plain" "$TMP/$name.recorded"
	(cd "$TMP/$name.plain" && exec "$@" >"$TMP/$name.out1" 2>"$TMP/$name.err1" </dev/null) || plain=$?
	(cd "$TMP/$name.recorded" && exec "$TACHO" record --malloc --buffer 16M -o "$TMP/$name.trace" -- \
		sh "$TMP/apart" "$TMP/$name.err2" "$@" \
		>"$TMP/$name.out2" 2>"$TMP/$name.summary" </dev/null) || recorded=$?
	same "${name}_prints_the_same" "$TMP/$name.out1" "$TMP/$name.out2"
	same "${name}_complains_the_same" "$TMP/$name.err1" "$TMP/$name.err2"
	check "${name}_ends_with_the_same_status" test "$plain" = "$recorded"
	check "${name}_loses_no_event" has "$TMP/$name.summary" 'nothing lost'
}

# NAME AT_LEAST: so many calls of malloc(); every free() has its malloc(), no block is given twice.
adds_up()
{
	local name=$1
	"$TACHO" view --json "$TMP/$name.trace" | python3 "$pairs" >"$TMP/$name.pairs"
	check "${name}_allocates_as_expected" test "$(value "$name" malloc)" -ge "$2"
	check "${name}_frees_only_what_it_allocated" test "$(value "$name" unknown)" = 0
	check "${name}_is_given_no_block_twice" test "$(value "$name" twice)" = 0
}

installed() # COMMAND NAME: or skip it
{
	command -v "$1" >/dev/null && return
	skip "${2}_prints_the_same" "$1 is not installed"
	return 1
}

# ---- python3: the interpreter itself, threads, a failure

python=$(python3 -c 'import sys; print(sys.executable)')
cat >"$TMP/program.py" <<'END'
import json
import sys
import threading

lists = [[str(i) * 200 for i in range(300)] for _ in range(10)]
threads = [threading.Thread(target=lambda each=each: each.sort()) for each in lists]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(json.dumps(lists)), sum(map(len, lists)))
print('to stderr', file=sys.stderr)
sys.exit(3)
END
runs_the_same python "$python" "$TMP/program.py"
adds_up python 3000
runs_the_same python_that_fails "$python" -c 'raise ValueError("as it should")'

# ---- git: processes and threads

cat >"$TMP/repository" <<'END'
set -e
git init -q -b main .
for i in 1 2 3 4 5; do
	seq "$i" $((i * 400)) >"file$i"
	git add .
	git commit -q -m "number $i"
done
git gc --quiet
git fsck --no-progress
git log --stat
git branch no-such-branch no-such-commit
END
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=someone GIT_AUTHOR_EMAIL=someone@example.org
export GIT_COMMITTER_NAME=someone GIT_COMMITTER_EMAIL=someone@example.org
export GIT_AUTHOR_DATE='2001-02-03 04:05:06 +0000' GIT_COMMITTER_DATE='2001-02-03 04:05:06 +0000'
if installed git git; then
	runs_the_same git sh "$TMP/repository"
	adds_up git 5000
	check 'git_is_recorded_in_all_its_processes' test "$(value git processes)" -ge 20
fi

# ---- sort: large blocks, threads

seq 400000 | awk '{ print ($1 * 7919) % 400009, "line", $1 }' >"$TMP/lines"
runs_the_same sort sort --parallel=4 -S 8M -k1,1n "$TMP/lines"
adds_up sort 10
runs_the_same sort_that_fails sort "$TMP/no-such-file"

# ---- sqlite3, perl

cat >"$TMP/script.sql" <<'END'
create table t (id integer primary key, name text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
	insert into t select i, 'name ' || (i * 7919 % 5003) from n;
create index by_name on t (name);
select count(*), min(name), max(name), sum(length(name)) from t;
select group_concat(id) from (select id from t order by name desc limit 20);
select * from no_such_table;
END
if installed sqlite3 sqlite3; then
	runs_the_same sqlite3 sqlite3 -bail ':memory:' ".read $TMP/script.sql"
	adds_up sqlite3 300
fi

if installed perl perl; then
	# shellcheck disable=SC2016
	runs_the_same perl perl -e 'my %h; $h{$_ * 7919 % 5003} .= "x" x $_ for 1 .. 3000;
		print join(",", map { $_ . length $h{$_} } sort keys %h), "\n"; die "as it should\n"'
	adds_up perl 3000
fi

# ---- a shell: fork without exec

# shellcheck disable=SC2016
runs_the_same bash bash -c 'for i in 1 2 3; do echo "$i $(echo "sub $i" | tr s S)"; done; (exit 5)'
adds_up bash 0
