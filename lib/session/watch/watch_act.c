/* SPDX-License-Identifier: MIT */
/* watch_act.c - what a trigger asks for; see watch.h */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/state.h"
#include "session/watch/watch.h"

/* One firing. */
struct firing {
	struct watch *watch;
	struct watched *w;
	const char *reason;
	struct session *target;
	struct snapshot_result snapshot;
	char chunk[TACHO_PATH_BYTES];
	struct watch_result *result;
};

/* ---- the result, for people: "snapshot in /x/y, command: exit status 1" ---- */

static void append(char *text, const char *fmt, va_list args)
{
	size_t at = strnlen(text, TACHO_TRIGGER_RESULT_BYTES - 1);

	if (at && at + 2 < TACHO_TRIGGER_RESULT_BYTES) {
		memcpy(text + at, ", ", 3);
		at += 2;
	}
	vsnprintf(text + at, TACHO_TRIGGER_RESULT_BYTES - at, fmt, args);
}

static void __attribute__((format(printf, 2, 3))) tell(char *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(text, fmt, args);
	va_end(args);
}

static void tell_action(struct firing *f, const char *action, int ret,
			const struct tacho_error *error)
{
	if (!ret) {
		tell(f->result->text, "%s", action);
		return;
	}
	f->result->failed++;
	tell(f->result->text, "%s failed: %s", action, error->text);
}

/* ---- actions ---- */

static void take_snapshot(struct firing *f)
{
	struct tacho_error error = { 0 };
	int ret = session_snapshot(f->target, NULL, &f->snapshot, &error);

	if (ret)
		tell_action(f, "snapshot", ret, &error);
	else
		tell(f->result->text, "snapshot in %s", f->snapshot.path);
}

static void rotate(struct firing *f)
{
	struct tacho_error error = { 0 };
	int ret = session_rotate(f->target, true, f->chunk, &error);

	if (ret)
		tell_action(f, "rotation", ret, &error);
	else
		tell(f->result->text, "chunk in %s", f->chunk);
}

static void start(struct firing *f)
{
	struct tacho_error error = { 0 };
	int ret = session_start(f->target, &error);

	tell_action(f, "start", ret, &error);
}

static void stop(struct firing *f)
{
	struct tacho_error error = { 0 };
	int ret = session_stop(f->target, &error);

	tell_action(f, "stop", ret, &error);
}

/* ---- commands ---- */

static void set_environment(const struct firing *f)
{
	setenv("TACHO_RUNTIME_DIR", f->watch->session->runtime->path, 1);
	setenv("TACHO_SESSION", f->watch->session->file->name, 1);
	setenv("TACHO_TRIGGER", f->w->name ? f->w->name : "", 1);
	setenv("TACHO_SNAPSHOT", f->snapshot.path, 1);
	setenv("TACHO_CHUNK", f->chunk, 1);
	setenv("TACHO_REASON", f->reason, 1);
}

static _Noreturn void command_main(const struct firing *f)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	setpgid(0, 0);
	set_environment(f);
	execl("/bin/sh", "sh", "-c", f->w->command, (char *)NULL);
	_exit(127);
}

/* It is not waited for: it may take as long as it likes. Until it has ended, its trigger's hits wait;
 * those of others do not. */
static void run_command(struct firing *f)
{
	pid_t pid = f->w->command ? fork() : -1;

	if (!pid)
		command_main(f);
	if (pid > 0)
		f->w->running = pid;
	else
		f->result->failed++;
	tell(f->result->text, pid > 0 ? "command started" : "command could not be started");
}

pid_t watch_reap(int *ret_status)
{
	return waitpid(-1, ret_status, WNOHANG);
}

void watch_note_status(struct tacho_trigger *trigger, int status)
{
	trigger->failed_count += status != 0;
	if (WIFSIGNALED(status))
		tell(trigger->result, "killed by signal %d", WTERMSIG(status));
	else
		tell(trigger->result, "exit status %d", WEXITSTATUS(status));
}

/* ---- all of them ---- */

static void act_on_session(struct firing *f)
{
	uint32_t actions = f->w->trigger.actions;

	if (actions & TACHO_ACTION_SNAPSHOT)
		take_snapshot(f);
	if (actions & TACHO_ACTION_ROTATE)
		rotate(f);
	if (actions & TACHO_ACTION_START)
		start(f);
	if (actions & TACHO_ACTION_STOP)
		stop(f);
}

/* Another session than the trigger's may have been destroyed, or not be there yet. */
static void act_on_other(struct firing *f)
{
	struct tacho_error error = { 0 };
	int ret = session_open(f->watch->session->runtime, f->w->session, &f->target, &error);

	if (ret) {
		f->result->failed++;
		tell(f->result->text, "%s", error.text);
		return;
	}
	act_on_session(f);
	session_close(f->target);
}

void watch_act(struct watch *watch, struct watched *w, const char *reason,
	       struct watch_result *ret_result)
{
	struct firing f = {
		.watch = watch,
		.w = w,
		.reason = reason,
		.target = watch->session,
		.result = ret_result,
	};

	if (*reason)
		tell(ret_result->text, "reason: %s", reason);
	if (w->session)
		act_on_other(&f);
	else
		act_on_session(&f);
	if (w->trigger.actions & TACHO_ACTION_RUN)
		run_command(&f);
}
