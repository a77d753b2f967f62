/* SPDX-License-Identifier: MIT */
/*
 * cmd-list.c - tacho list: what sessions there are, and what programs with which events. Of a file:
 * list_file.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "domain.h"
#include "event_show.h"
#include "json.h"
#include "list_file.h"
#include "list_kernel.h"
#include "look.h"
#include "loss.h"
#include "options.h"
#include "others.h"
#include "parse.h"
#include "pick.h"
#include "say.h"
#include "session/current.h"
#include "show.h"
#include "table.h"
#include "text.h"

#define EVENTS_SHOWN 8 /* of a program, in the overview */

static struct {
	int events;
	int fields;
	int json;
	int domain;
	int syscall;
	const char *channel;
} asked;

struct listed_session {
	struct tacho_session file;
	struct session_stats stats;
};

struct listing {
	struct runtime runtime;
	struct listed_session *sessions;
	size_t session_count;
	char current[TACHO_SESSION_NAME_BYTES]; /* the session's name; "": none */
	struct program *programs;
	size_t program_count;
	int pid; /* 0: all programs */
};

/* ---- gather ---- */

/* One that was destroyed meanwhile is left out. */
static int gather_session(struct listing *l, const char *name)
{
	struct listed_session *listed = &l->sessions[l->session_count];
	struct tacho_error error;
	struct session *session;
	int err = session_open(&l->runtime, name, &session, &error);

	if (!err) {
		look_session(session, &listed->file);
		err = session_stats(session, &listed->stats, &error);
		session_close(session);
	}
	if (!err)
		l->session_count++;
	return err && err != -ENOENT ? fail_with(&error) : STATUS_DONE;
}

static int gather_sessions(struct listing *l)
{
	struct tacho_error error;
	int status = STATUS_DONE;
	char **names;

	if (current_get(&l->runtime, l->current))
		l->current[0] = 0;
	if (session_names(&l->runtime, &names, &error) < 0)
		return fail_with(&error);
	l->sessions = xcalloc(option_count((const char *const *)names) + 1, sizeof(*l->sessions));
	for (char **name = names; *name; name++)
		if (gather_session(l, *name))
			status = STATUS_FAILED;
	session_names_free(names);
	return status;
}

static int gather_programs(struct listing *l)
{
	struct tacho_error error;

	if (programs_list(&l->runtime, &l->programs, &l->program_count, &error) < 0)
		return fail_with(&error);
	return STATUS_DONE;
}

static bool is_wanted(const struct listing *l, const struct program *program)
{
	return !l->pid || program->pid == l->pid;
}

static bool has_wanted(const struct listing *l)
{
	for (size_t i = 0; i < l->program_count; i++)
		if (is_wanted(l, &l->programs[i]))
			return true;
	return !l->pid;
}

/* ---- text ---- */

static void print_sessions(const struct listing *l)
{
	static const struct column columns[] = {
		{ "SESSION", COLUMN_LEFT },  { "STATE", COLUMN_LEFT },
		{ "KIND", COLUMN_LEFT },     { "MEMORY", COLUMN_RIGHT },
		{ "WRITTEN", COLUMN_RIGHT }, { "LOST", COLUMN_RIGHT },
		{ "DRAIN", COLUMN_LEFT },    { 0 },
	};
	struct table *table;
	char drain[32];

	if (!l->session_count) {
		puts("No session. Make one: tacho create NAME");
		return;
	}
	table = table_new(columns);
	for (size_t i = 0; i < l->session_count; i++) {
		const struct tacho_session *file = &l->sessions[i].file;
		const struct session_stats *stats = &l->sessions[i].stats;

		table_row(table, file->name, look_state(file), look_kind(file),
			  bytes_text(stats->memory_bytes).text, bytes_text(stats->bytes).text,
			  count_text(loss_total(stats->lost)).text,
			  look_drain(file, stats, drain, sizeof(drain)));
	}
	table_print(table);
	if (l->current[0])
		printf("Current: %s\n", visible(l->current).text);
	for (size_t i = 0; i < l->session_count; i++)
		if (l->sessions[i].stats.drain_error[0])
			say(SAY_WARNING, "the drain of session '%s' cannot write: %s",
			    l->sessions[i].file.name, l->sessions[i].stats.drain_error);
}

static void print_program_head(const struct program *program)
{
	char *executable = printable(program->executable);

	printf("%d  %s  %s event%s\n", (int)program->pid, executable,
	       count_text(program->event_count).text, program->event_count == 1 ? "" : "s");
	free(executable);
	if (program->attach_failures)
		say(SAY_WARNING,
		    "process %d could not open a session %s time%s, and lost %s events that "
		    "were to be recorded there; what may be wrong: tacho doctor",
		    (int)program->pid, count_text(program->attach_failures).text,
		    program->attach_failures == 1 ? "" : "s",
		    count_text(program->lost_without_ring).text);
}

static void print_names(const struct program *program)
{
	for (uint32_t i = 0; i < program->event_count; i++) {
		char *name;

		if (i == EVENTS_SHOWN) {
			printf("      .. and %s more: tacho list %d\n",
			       count_text(program->event_count - i).text, (int)program->pid);
			return;
		}
		name = event_show_name(program->events[i].desc);
		printf("      %s\n", name);
		free(name);
	}
}

static void print_recorders(const struct listing *l, uint32_t state)
{
	const char *before = ", recorded by ";

	for (size_t i = 0; i < l->session_count; i++) {
		const struct tacho_session *file = &l->sessions[i].file;

		if (file->slot >= TACHO_SLOTS || !(state >> file->slot & 1))
			continue;
		printf("%s%s", before, visible(file->name).text);
		before = ", ";
	}
}

static void print_event(const struct listing *l, const struct program_event *event)
{
	event_show_head(event->desc);
	print_recorders(l, event->state);
	putchar('\n');
	event_show_fields(event->desc);
}

static void print_program(const struct listing *l, const struct program *program)
{
	print_program_head(program);
	if (!asked.events && !asked.fields && !l->pid) {
		print_names(program);
		return;
	}
	for (uint32_t i = 0; i < program->event_count; i++)
		print_event(l, &program->events[i]);
}

static void print_text(const struct listing *l)
{
	if (!l->pid && !domain_asked.userspace) {
		print_sessions(l);
		putchar('\n');
	}
	if (!l->pid)
		puts(l->program_count ? "Programs:" : "No instrumented program is running.");
	for (size_t i = 0; i < l->program_count; i++)
		if (is_wanted(l, &l->programs[i]))
			print_program(l, &l->programs[i]);
}

/* ---- JSON ---- */

static void add_session(const struct listing *l, json_object *list,
			const struct listed_session *listed)
{
	const struct tacho_session *file = &listed->file;
	const struct session_stats *stats = &listed->stats;
	json_object *entry = json_append_object(list);

	json_add_text(entry, "name", file->name);
	json_add_bool(entry, "current", !strcmp(file->name, l->current));
	json_add_text(entry, "state", look_state(file));
	json_add_bool(entry, "streaming", file->streaming);
	json_add_text(entry, "output", file->output);
	json_add_count(entry, "memory_bytes", stats->memory_bytes);
	json_add_count(entry, "written_bytes", stats->bytes);
	json_add_lost(entry, "lost", stats->lost);
	json_add_bool(entry, "drain_alive", stats->drain_alive);
	json_add_text(entry, "drain_error", stats->drain_error);
	json_add_count(entry, "drain_pid", stats->drain_alive ? (uint64_t)stats->drain_pid : 0);
}

static void add_recorders(const struct listing *l, json_object *entry, uint32_t state)
{
	json_object *list = json_add_array(entry, "recorded_by");

	for (size_t i = 0; i < l->session_count; i++) {
		const struct tacho_session *file = &l->sessions[i].file;

		if (file->slot < TACHO_SLOTS && state >> file->slot & 1)
			json_append_text(list, file->name);
	}
}

static void add_event(const struct listing *l, json_object *list, const struct program_event *event)
{
	json_object *entry = json_append_object(list);

	event_show_json_head(event->desc, entry);
	add_recorders(l, entry, event->state);
	event_show_json_fields(event->desc, entry);
}

static void add_program(const struct listing *l, json_object *list, const struct program *program)
{
	json_object *entry = json_append_object(list);
	json_object *events;

	json_add_count(entry, "pid", (uint64_t)program->pid);
	json_add_count(entry, "uid", program->uid);
	json_add_text(entry, "executable", program->executable);
	json_add_count(entry, "attach_failures", program->attach_failures);
	json_add_count(entry, "lost_without_ring", program->lost_without_ring);
	events = json_add_array(entry, "events");
	for (uint32_t i = 0; i < program->event_count; i++)
		add_event(l, events, &program->events[i]);
}

static json_object *make_json(const struct listing *l)
{
	json_object *root = json_object_new_object();
	json_object *sessions = json_add_array(root, "sessions");
	json_object *programs = json_add_array(root, "programs");

	for (size_t i = 0; i < l->session_count; i++)
		add_session(l, sessions, &l->sessions[i]);
	for (size_t i = 0; i < l->program_count; i++)
		if (is_wanted(l, &l->programs[i]))
			add_program(l, programs, &l->programs[i]);
	return root;
}

/* ---- the programs of other users, for root ---- */

/* In a process of the user. A user without anything is not mentioned. */
static void print_as_user(struct runtime *runtime, const void *pid)
{
	struct listing l = { .runtime = *runtime, .pid = *(const int *)pid };

	if (gather_sessions(&l) || gather_programs(&l) || !has_wanted(&l) ||
	    (!l.session_count && !l.program_count))
		return;
	if (asked.json)
		json_print(make_json(&l));
	else
		print_text(&l);
}

static void show_text(const struct user_dir *dir, const char *text, void *shown)
{
	char *name = others_name(dir), *rest = xstrdup(text), *lines = rest, *line;

	printf("\nOf %s:\n\n", name);
	while ((line = strsep(&rest, "\n")) && (rest || *line)) {
		char *clean = printable(line);

		puts(clean);
		free(clean);
	}
	free(lines);
	free(name);
	*(bool *)shown = true;
}

static void show_json(const struct user_dir *dir, const char *text, void *users)
{
	static const char *const keys[] = { "sessions", "programs" };
	json_object *entry = json_append_object(users);
	json_object *listed = json_tokener_parse(text);

	json_add_count(entry, "uid", dir->uid);
	json_add_count(entry, "container_pid", (uint64_t)dir->pid);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_object *list = json_object_object_get(listed, keys[i]);

		json_object_object_add(entry, keys[i],
				       list ? json_object_get(list) : json_object_new_array());
	}
	json_object_put(listed);
}

/* ---- the command ---- */

static int list_as_text(const struct listing *l, bool *ret_found)
{
	const struct others others = {
		.print = print_as_user,
		.print_arg = &l->pid,
		.show = show_text,
		.show_arg = ret_found,
	};

	*ret_found = has_wanted(l);
	if (*ret_found)
		print_text(l);
	return others_print(&others);
}

static int list_as_json(const struct listing *l, bool *ret_found)
{
	json_object *root = make_json(l);
	json_object *users = json_add_array(root, "users");
	const struct others others = {
		.print = print_as_user,
		.print_arg = &l->pid,
		.show = show_json,
		.show_arg = users,
	};
	int status = others_print(&others);

	*ret_found = has_wanted(l) || json_object_array_length(users);
	if (*ret_found)
		json_print(root);
	else
		json_object_put(root);
	return status;
}

static int list(struct listing *l)
{
	int status = gather_sessions(l);
	bool is_found;

	if (gather_programs(l))
		return STATUS_FAILED;
	if ((asked.json ? list_as_json : list_as_text)(l, &is_found))
		status = STATUS_FAILED;
	if (!is_found)
		return fail("there is no instrumented program with the process id %d; those there "
			    "are: tacho list",
			    l->pid);
	return status;
}

static int list_all(int pid)
{
	struct listing l = { .pid = pid };
	int status = pick_runtime(&l.runtime);

	if (status)
		return status;
	status = list(&l);
	programs_free(l.programs, l.program_count);
	free(l.sessions);
	runtime_close(&l.runtime);
	return status;
}

static bool has_kernel(const struct tacho_session *file)
{
	for (uint32_t i = 0; i < file->channel_count; i++)
		if (file->channel[i].domain == TACHO_DOMAIN_KERNEL)
			return true;
	return false;
}

static int list_domains(const struct tacho_session *file)
{
	json_object *root, *domains;

	if (!asked.json) {
		puts(has_kernel(file) ? "userspace\nkernel" : "userspace");
		return STATUS_DONE;
	}
	root = json_object_new_object();
	domains = json_add_array(root, "domains");
	json_append_text(domains, "userspace");
	if (has_kernel(file))
		json_append_text(domains, "kernel");
	return json_print(root);
}

static int list_session(struct picked *picked)
{
	const struct show_wish wish = { .channel = asked.channel, .json = asked.json };

	return asked.domain ? list_domains(session_file(picked->session)) :
			      show_session(picked, &wish);
}

/* A number is a process, and a name may be that of a file, unless a session has it as its name. */
static bool is_session(const char *name)
{
	struct runtime runtime;
	struct session *session;
	bool is_there;

	if (runtime_open(&runtime, NULL))
		return false;
	is_there = !session_open(&runtime, name, &session, NULL);
	if (is_there)
		session_close(session);
	runtime_close(&runtime);
	return is_there;
}

static int check(const struct command *self, const char *name)
{
	enum tacho_domain domain;
	int status = wants_domain(self, &domain);

	if (status)
		return status;
	if ((asked.channel || asked.domain) && !name)
		return wrong_use(self, "--%s is of a session: name it",
				 asked.channel ? "channel" : "domain");
	if ((asked.channel || asked.domain) && list_is_path(name))
		return wrong_use(self, "--%s is of a session, and '%s' is a file",
				 asked.channel ? "channel" : "domain", name);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	const struct list_kernel_wish kernel_wish = {
		.syscalls = asked.syscall,
		.fields = asked.fields || asked.events,
		.json = asked.json,
		.pattern = arguments[0],
	};
	const char *name = arguments[0];
	int status = check(self, name);
	int pid = 0;

	if (status)
		return status;
	if (asked.syscall || domain_asked.kernel)
		return list_kernel(&kernel_wish);
	if (!name)
		return list_all(0);
	if (list_is_path(name))
		return list_file(name, asked.json);
	if (!is_session(name)) {
		if (!parse_pid(name, &pid))
			return list_all(pid);
		if (!asked.channel && !asked.domain && list_is_program(name))
			return list_file(name, asked.json);
	}
	return (asked.json ? with_session_json : with_session)(self, name, list_session);
}

static const struct poptOption options[] = {
	{ "events", 0, POPT_ARG_NONE, &asked.events, 0,
	  "Show the events of all programs with their levels and fields", NULL },
	{ "fields", 'f', POPT_ARG_NONE, &asked.fields, 0, "The same", NULL },
	{ "channel", 'c', POPT_ARG_STRING, &asked.channel, 0,
	  "Of the session, only this channel and its rules", "CHANNEL" },
	{ "domain", 'd', POPT_ARG_NONE, &asked.domain, 0,
	  "Only whose events the session records: userspace", NULL },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print everything as one JSON object", NULL },
	{ "syscall", 'S', POPT_ARG_NONE, &asked.syscall, 0, "The kernel's system calls", NULL },
	DOMAIN_ENTRIES,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_list = {
	.name = "list",
	.arguments = "[SESSION | PID | FILE | PATTERN]",
	.summary = "List sessions, and programs with their events",
	.examples = "With -u, programs only. With a session, its channels and rules; with a process "
		    "id, its events;\nwith an executable or a library, the events that are "
		    "built into it; with -k, those of the kernel whose names match a pattern.\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
