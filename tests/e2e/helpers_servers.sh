#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --malloc --locks --libs --functions: servers, unmodified, with processes, threads and
# signals, answer and end as they would without all of these, also under other allocators.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"
servers=
finish()
{
	local status=$? pid
	for pid in $servers; do
		kill -KILL "$pid" 2>/dev/null
	done
	(exit "$status")
	lib_finish
}
trap finish EXIT

free_port()
{
	python3 -c 'import socket
with socket.socket() as s:
	s.bind(("127.0.0.1", 0))
	print(s.getsockname()[1])'
}

start() # NAME recorded|plain COMMAND..: its status will be in $TMP/NAME.status
{
	local name=$1 way=$2
	shift 2
	if [ "$way" = recorded ]; then
		set -- "$TACHO" record --malloc --locks --libs --functions --buffer 16M --overwrite \
			-o "$TMP/$name.trace" -- "$@"
	fi
	rm -f "$TMP/$name.status"
	("$@" >"$TMP/$name.out" 2>"$TMP/$name.err" </dev/null; echo $? >"$TMP/$name.status") &
	servers="$servers $!"
}

counts() # NAME EVENT: how often it is in the trace
{
	"$TACHO" view --summary "$TMP/$1.trace" 2>/dev/null |
		sed -n "s/^ *\([0-9,]*\) .* $2\$/\1/p" | tr -d , | grep . || echo 0
}

library() { ldconfig -p | sed -n "s/.*lib$1\.so\.[0-9]* ([^)]*) => //p" | head -n 1; } # NAME

# ---- redis: threads, and a child that writes what its parent had

redis() { redis-cli -h 127.0.0.1 -p "$port" "$@"; }
redis_is_up() { [ "$(redis ping 2>/dev/null)" = PONG ]; }
redis_saved() # no child is writing, or is to
{
	[ "$(redis info persistence |
		grep -cE '^(rdb_bgsave_in_progress|aof_rewrite_(in_progress|scheduled)):0')" = 3 ]
}

redis_talk() # a conversation of known answers
{
	local i
	for i in 1 2 3; do
		redis set "key$i" "value $i"
		redis get "key$i"
	done
	seq 1 3000 | sed 's/.*/SET number:& & /' | redis | sort | uniq -c
	redis lpush list a b c
	redis sort list alpha
	redis bgsave
	wait_until redis_saved && echo saved
	redis info persistence | grep '^rdb_last_bgsave_status'
	redis config set appendonly yes
	wait_until redis_saved || echo 'not saved'
	redis flushall async
	redis no-such-command
	redis dbsize
}

redis_run() # NAME plain|recorded
{
	local dir=$TMP/$1.d
	mkdir "$dir"
	port=$(free_port)
	start "$1" "$2" redis-server --bind 127.0.0.1 --port "$port" --dir "$dir" --save '' --io-threads 2 \
		--protected-mode no --daemonize no
	wait_until redis_is_up || return
	redis_talk >"$TMP/$1.talk" 2>&1
	redis shutdown save >"$TMP/$1.shutdown" 2>&1
	show "$TMP/$1.shutdown"
	wait_until test -s "$TMP/$1.status"
}

redis_saves() # NAME: what was saved can be read again
{
	redis-check-rdb "$TMP/$1.d/dump.rdb" 2>&1 | grep -q 'RDB looks OK'
}

redis_case() # NAME
{
	check "${1}_starts_and_ends" redis_run "$1" recorded
	same "${1}_answers_the_same" "$TMP/redis.talk" "$TMP/$1.talk"
	same "${1}_ends_with_the_same_status" "$TMP/redis.status" "$TMP/$1.status"
	check "${1}_saves_what_can_be_read" redis_saves "$1"
	check "${1}_is_recorded" test "$(counts "$1" malloc:free)" -ge 1000
}

if command -v redis-server >/dev/null && command -v redis-cli >/dev/null; then
	check 'redis_runs_without_it' redis_run redis plain
	check 'redis_saves_without_it' has "$TMP/redis.talk" 'rdb_last_bgsave_status:ok'
	redis_case redis_recorded
	check 'redis_has_locks' test "$(counts redis_recorded lttng_ust_pthread:pthread_mutex_unlock)" -ge 10
	for allocator in jemalloc tcmalloc_minimal; do
		found=$(library "$allocator")
		if [ -n "$found" ]; then
			LD_PRELOAD=$found redis_case "redis_under_$allocator"
		else
			skip "redis_under_${allocator}_answers_the_same" "$allocator is not installed"
		fi
	done
else
	skip 'redis_answers_the_same' 'redis-server is not installed'
fi

# ---- nginx: a master and its workers, signals, new workers in their place

nginx_get() # PATH..: status and body of each
{
	python3 - "$port" "$@" <<'END'
import http.client
import sys
for path in sys.argv[2:]:
	c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=20)
	c.request('GET', path)
	r = c.getresponse()
	print(r.status, len(body := r.read()), body[:40])
END
}
nginx_is_up() { nginx_get /file >/dev/null 2>&1; }
nginx_workers() { pgrep -P "$(cat "$1/pid")" | sort | tr '\n' ' '; } # DIRECTORY
nginx_has_new_workers() # DIRECTORY OLD
{
	local now
	now=$(nginx_workers "$1")
	[ "$(echo "$now" | wc -w)" = 2 ] &&
		! echo "$2 $now" | tr ' ' '\n' | grep . | sort | uniq -d | grep -q .
}

nginx_files() # DIRECTORY
{
	mkdir -p "$1/root" "$1/tmp"
	seq 1 20000 >"$1/root/file"
	chmod -R a+rX "$TMP" "$1"
	cat >"$1/nginx.conf" <<END
daemon off;
worker_processes 2;
user $(id -un);
pid $1/pid;
error_log $1/error.log;
events { worker_connections 64; }
http {
	access_log $1/access.log;
	client_body_temp_path $1/tmp/body;
	proxy_temp_path $1/tmp/proxy;
	fastcgi_temp_path $1/tmp/fastcgi;
	uwsgi_temp_path $1/tmp/uwsgi;
	scgi_temp_path $1/tmp/scgi;
	server {
		listen 127.0.0.1:$port;
		root $1/root;
		gzip on;
		location /back/ { proxy_pass http://127.0.0.1:$port/; }
	}
}
END
}

nginx_talk() # DIRECTORY
{
	local old
	nginx_get {/file,/back/file,/none}{,?2,?3,?4,?5,?6,?7,?8}
	old=$(nginx_workers "$1")
	kill -HUP "$(cat "$1/pid")"
	wait_until nginx_has_new_workers "$1" "$old" && echo 'other workers'
	nginx_get /back/file{,?2,?3,?4}
}

nginx_run() # NAME plain|recorded
{
	local dir=$TMP/$1.d
	port=$(free_port)
	nginx_files "$dir"
	start "$1" "$2" nginx -p "$dir" -e "$dir/error.log" -c "$dir/nginx.conf"
	wait_until nginx_is_up || return
	nginx_talk "$dir" 2>/dev/null | sed "s/:$port/:PORT/" >"$TMP/$1.talk"
	kill -QUIT "$(cat "$dir/pid")"
	wait_until test -s "$TMP/$1.status"
}

nginx_case() # NAME
{
	check "${1}_starts_and_ends" nginx_run "$1" recorded
	same "${1}_answers_the_same" "$TMP/nginx.talk" "$TMP/$1.talk"
	same "${1}_ends_with_the_same_status" "$TMP/nginx.status" "$TMP/$1.status"
	check "${1}_crashes_no_worker" test -z "$(grep 'exited on signal' "$TMP/$1.d/error.log")"
	check "${1}_is_recorded" test "$(counts "$1" malloc:free)" -ge 50
}

if command -v nginx >/dev/null && command -v pgrep >/dev/null; then
	check 'nginx_runs_without_it' nginx_run nginx plain
	check 'nginx_serves_without_it' grep -q '^200 108894 ' "$TMP/nginx.talk"
	check 'nginx_replaces_its_workers_without_it' has "$TMP/nginx.talk" 'other workers'
	nginx_case nginx_recorded
	for allocator in jemalloc tcmalloc_minimal; do
		found=$(library "$allocator")
		if [ -n "$found" ]; then
			LD_PRELOAD=$found nginx_case "nginx_under_$allocator"
		else
			skip "nginx_under_${allocator}_answers_the_same" "$allocator is not installed"
		fi
	done
else
	skip 'nginx_answers_the_same' 'nginx or pgrep is not installed'
fi
