/* SPDX-License-Identifier: MIT */
/* probes.c - see probes.h */
#include "session/kernel/probes.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/str.h"
#include "elf/sites.h"
#include "kernel/operand.h"
#include "kernel/dynamic.h"
#include "kernel/tracefs.h"
#include "session/kernel/channel.h"
#include "session/state.h"

#define NAME_MAX_BYTES 48 /* the kernel has 63, with what is behind it */
#define PLACE_BYTES    (PATH_MAX + 64)
#define LINE_BYTES     (2 * PATH_MAX)

/* A rule's event, while it is made. */
struct making {
	int tracefs_fd;
	char group[KERNEL_GROUP_BYTES];
	const struct rule_options *options;
	char place[PLACE_BYTES]; /* of the definition, up to the newline */
	const char *fetch;       /* behind it; "": nothing */
	struct tacho_error *error;
};

/* ---- names ---- */

void kernel_group_print(int dir_fd, uint64_t instance, char ret_group[KERNEL_GROUP_BYTES])
{
	snprintf(ret_group, KERNEL_GROUP_BYTES, KERNEL_GROUP_PREFIX "%llx_%llx",
		 (unsigned long long)kernel_directory_of(dir_fd), (unsigned long long)instance);
}

/* What the events of a rule of this kind have behind its name, up to NULL. */
static const char *const *endings_of(uint32_t kind)
{
	static const char *const one[] = { "", NULL };
	static const char *const two[] = { "_entry", "_return", NULL };

	return kind == TACHO_RULE_FUNCTION ? two : one;
}

bool kernel_probe_is_event(uint32_t kind, const char *pattern, const char *group,
			   const struct kernel_event *event)
{
	size_t length = strlen(pattern);

	if (strcmp(event->system, group) || strncmp(event->event, pattern, length))
		return false;
	for (const char *const *ending = endings_of(kind); *ending; ending++)
		if (!strcmp(event->event + length, *ending))
			return true;
	return false;
}

static bool is_name(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

static int check_name(const struct making *m)
{
	const char *name = m->options->pattern;

	if (is_name(name) && strlen(name) <= NAME_MAX_BYTES)
		return 0;
	return error_set(m->error, -EINVAL,
			 "'%s' cannot be the name of a probe: the kernel takes letters, digits and _, %d "
			 "at most",
			 name, NAME_MAX_BYTES);
}

/* ---- lines ---- */

static int add(const struct making *m, const char *type, const char *ending, const char *place,
	       const char *fetch)
{
	char line[LINE_BYTES];

	if (str_print(line, sizeof(line), "%s:%s/%s%s %s %s", type, m->group, m->options->pattern,
		      ending, place, fetch))
		return error_set(m->error, -ENAMETOOLONG, "the probe '%s' is too long",
				 m->options->pattern);
	return kernel_probe_add(m->tracefs_fd, line, m->error);
}

static int make_of_kernel(const struct making *m)
{
	int ret;

	if (m->options->kind == TACHO_RULE_PROBE)
		return add(m, "p", "", m->place, m->fetch);
	ret = add(m, "p", "_entry", m->place, m->fetch);
	return ret ? ret : add(m, "r", "_return", m->place, "ret=$retval");
}

/* The last ':' parts the path from what is in it. */
static char *split(char *text)
{
	char *colon = strrchr(text, ':');

	if (!colon)
		return NULL;
	*colon = 0;
	return colon + 1;
}

/* Spaces end a path, and a colon its name, in the kernel's language. */
static int check_path(const struct making *m, const char *path)
{
	if (*path == '/' && !strpbrk(path, " \t\n:"))
		return 0;
	return error_set(m->error, -EINVAL,
			 "'%s': the kernel takes an absolute path without spaces and colons for a "
			 "probe's file",
			 path);
}

static int add_at(const struct making *m, const char *path, uint64_t offset, uint64_t semaphore,
		  const char *fetch)
{
	char place[PLACE_BYTES];
	int ret = semaphore ? str_print(place, sizeof(place), "%s:0x%llx(0x%llx)", path,
					(unsigned long long)offset, (unsigned long long)semaphore) :
			      str_print(place, sizeof(place), "%s:0x%llx", path,
					(unsigned long long)offset);

	return ret ? error_set(m->error, ret, "the path '%s' is too long", path) :
		     add(m, "p", "", place, fetch);
}

static int wrong_place(const struct making *m)
{
	return error_set(m->error, -EINVAL,
			 "'%s' is no place in a program: elf:PATH:FUNCTION, elf:PATH:0xOFFSET or "
			 "sdt:PATH:PROVIDER:NAME",
			 m->place);
}

/* elf:PATH:FUNCTION */
static int make_of_function(const struct making *m, char *path)
{
	char *name = split(path), *rest;
	uint64_t offset;
	int ret = name ? check_path(m, path) : wrong_place(m);

	if (ret)
		return ret;
	offset = strtoull(name, &rest, 0);
	if (rest == name || *rest)
		ret = elf_find_function(path, name, &offset, m->error);
	return ret ? ret : add_at(m, path, offset, 0, m->fetch);
}

static int add_site(const struct making *m, const char *path, const struct elf_site *site)
{
	char arguments[1024];
	int ret = *m->fetch ? 0 : kernel_operands_print(site->arguments, arguments, sizeof(arguments));

	return ret ? error_set(m->error, ret, "the probe has too many arguments") :
		     add_at(m, path, site->offset, site->semaphore,
			    *m->fetch ? m->fetch : arguments);
}

static int add_sites(const struct making *m, const char *path, const char *provider,
		     const char *name, const struct elf_sites *sites)
{
	size_t count = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < sites->count; i++) {
		const struct elf_site *site = &sites->site[i];

		if (strcmp(site->provider, provider) || strcmp(site->name, name))
			continue;
		count++;
		ret = add_site(m, path, site);
	}
	if (!ret && !count)
		return error_set(m->error, -ENOENT, "there is no static probe '%s:%s' in '%s'",
				 provider, name, path);
	return ret;
}

/* sdt:PATH:PROVIDER:NAME */
static int make_of_sites(const struct making *m, char *path)
{
	char *name = split(path), *provider = name ? split(path) : NULL;
	struct elf_sites sites;
	int ret = provider ? check_path(m, path) : wrong_place(m);

	if (!ret)
		ret = elf_sites_read(path, &sites, m->error);
	if (ret)
		return ret;
	ret = add_sites(m, path, provider, name, &sites);
	elf_sites_free(&sites);
	return ret;
}

static int make_of_program(struct making *m)
{
	char path[PLACE_BYTES];
	bool has_prefix = !strncmp(m->place, "elf:", 4) || !strncmp(m->place, "sdt:", 4);

	strcpy(path, m->place + (has_prefix ? 4 : 0));
	return !strncmp(m->place, "sdt:", 4) ? make_of_sites(m, path) : make_of_function(m, path);
}

/* ---- making ---- */

static int begin(const struct session *session, const struct rule_options *options,
		 struct making *m, struct tacho_error *error)
{
	const char *newline = strchr(options->executable, '\n');
	size_t length = newline ? (size_t)(newline - options->executable) :
				  strlen(options->executable);

	*m = (struct making){ .options = options, .error = error, .tracefs_fd = -1 };
	m->fetch = newline ? newline + 1 : "";
	if (length >= sizeof(m->place))
		return error_set(error, -ENAMETOOLONG, "the place of a probe is too long");
	memcpy(m->place, options->executable, length);
	kernel_group_print(session->dir_fd, session->file->instance, m->group);
	m->tracefs_fd = tracefs_open(error);
	return m->tracefs_fd < 0 ? m->tracefs_fd : 0;
}

static void unmake(const struct making *m)
{
	char name[TACHO_PATTERN_BYTES + 16];

	for (const char *const *ending = endings_of(m->options->kind); *ending; ending++)
		if (!str_print(name, sizeof(name), "%s%s", m->options->pattern, *ending))
			kernel_probes_remove(m->tracefs_fd, m->group, name);
}

static bool is_there(const struct making *m)
{
	char name[TACHO_PATTERN_BYTES + 16];

	return !str_print(name, sizeof(name), "%s%s", m->options->pattern,
			  endings_of(m->options->kind)[0]) &&
	       kernel_probe_is_there(m->tracefs_fd, m->group, name);
}

static int make(struct making *m)
{
	int ret = check_name(m);

	if (!ret && strpbrk(m->place, " \t\n") && m->options->kind != TACHO_RULE_USERSPACE)
		ret = error_set(m->error, -EINVAL, "'%s' is no place in the kernel", m->place);
	if (!ret && is_there(m))
		ret = error_set(m->error, -EEXIST,
				"the session has another probe '%s' already; choose another name",
				m->options->pattern);
	if (ret)
		return ret;
	ret = m->options->kind == TACHO_RULE_USERSPACE ? make_of_program(m) : make_of_kernel(m);
	if (ret)
		unmake(m);
	return ret;
}

int kernel_probe_make(const struct session *session, const struct rule_options *options,
		      struct tacho_error *error)
{
	struct making m;
	int ret = begin(session, options, &m, error);

	if (!ret)
		ret = make(&m);
	fd_close(m.tracefs_fd);
	return ret;
}

void kernel_probe_unmake(const struct session *session, const struct rule_options *options)
{
	struct making m;

	if (!begin(session, options, &m, NULL))
		unmake(&m);
	fd_close(m.tracefs_fd);
}
