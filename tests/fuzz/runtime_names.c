/* SPDX-License-Identifier: MIT */
/*
 * Names in a runtime directory that a program of its user has put there, or changed: in slots/, apps/,
 * sessions/ and that of a session; links, FIFOs, directories and files; as tools go through them: list,
 * create, start, destroy.
 *
 * The input is what is done, 4 bytes each:
 *
 *      folder, kind of what is made there, name, what a link leads to
 *
 * Whatever it is, tools leave alone what is outside of the directory.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tree.h"
#include "session/registry.h"
#include "session/session.h"

#define DEED_BYTES 4
#define DEEDS_MAX  32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Each makes and destroys sessions. */
extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 200;

static const char *const folders[] = {
	"slots", "apps", "sessions", "sessions/s", "sessions/t", ".",
};
static const char *const names[] = {
	"0",
	"1",
	"30",
	"31",
	"-1",
	"007",
	"1.1",
	"1.",
	".1",
	"4194305.1",
	"s",
	"t",
	"%2e",
	"%2",
	"%zz",
	"a%00b",
	".new-1",
	"session",
	"events",
	"triggers",
	"unrecorded",
	"session.copy",
	"watch",
	"drains",
	"channel0.rings",
	"channel0.shards",
	"current",
	"slots",
	"apps",
	"sessions",
	"kernel",
	"\x1b[31m",
	"a\nb",
};
/* @: the directory of this process */
static const char *const targets[] = {
	"@victim",
	"@victim/secret",
	"../sessions/s",
	"../sessions/t",
	"../sessions/none",
	"..",
	".",
	"s",
	"0",
	"/dev/zero",
	"/dev/null",
	"/proc/self/mem",
	"@run/sessions/s/session",
};
static char dir[] = "/dev/shm/tacho-test.names.XXXXXX";
static char run[64], victim[64], secret[64]; /* in it */

#define PICK(list, byte) ((list)[(byte) % (sizeof(list) / sizeof((list)[0]))])

static void make_victim(void)
{
	int fd;

	mkdir(victim, 0700);
	fd = open(secret, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, "secret", 6) != 6)
		abort();
	close(fd);
}

static void check_victim(void)
{
	char text[8];
	int fd = open(secret, O_RDONLY);
	struct stat st;

	if (fd < 0 || read(fd, text, sizeof(text)) != 6 || memcmp(text, "secret", 6) ||
	    stat(victim, &st) || st.st_nlink != 2)
		abort();
	close(fd);
}

/* ---- what is done ---- */

static void take_away(const char *path)
{
	if (unlink(path))
		rmdir(path);
}

static void put_file(const char *path, uint8_t bytes)
{
	static const char zeros[256];
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);

	if (fd < 0)
		return;
	if (write(fd, zeros, bytes) != bytes)
		abort();
	close(fd);
}

static void expand(const char *target, char *ret_path, size_t bytes)
{
	if (*target == '@')
		snprintf(ret_path, bytes, "%s/%s", dir, target + 1);
	else
		snprintf(ret_path, bytes, "%s", target);
}

/* What we do ourselves must not go by the links that we made. */
static bool is_in_runtime(const char *folder)
{
	char expected[128], real[PATH_MAX];

	snprintf(expected, sizeof(expected), "%s/%s", run, folder);
	return !strcmp(folder, ".") || (realpath(expected, real) && !strcmp(real, expected));
}

static bool is_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode);
}

static void do_one(const uint8_t *deed)
{
	char path[256], target[128];

	if (!is_in_runtime(PICK(folders, deed[0])))
		return;

	snprintf(path, sizeof(path), "%s/%s/%s", run, PICK(folders, deed[0]), PICK(names, deed[2]));
	expand(PICK(targets, deed[3]), target, sizeof(target));
	if (deed[1] & 1)
		take_away(path);
	switch (deed[1] / 2 % 6) {
	case 0:
	case 1:
		if (symlink(target, path))
			return;
		break;
	case 2:
		mkfifo(path, 0600);
		break;
	case 3:
		mkdir(path, 0700);
		break;
	case 4:
		put_file(path, deed[3]);
		break;
	default:
		if (is_file(path) && truncate(path, deed[3] * 16))
			return;
	}
}

/* ---- tools ---- */

static int nothing(struct registry *registry, void *unused)
{
	(void)registry;
	(void)unused;
	return 0;
}

static struct session *make_session(struct runtime *runtime, const char *name)
{
	struct session_options options = {
		.name = name,
		.channel = { .buffer_bytes = 32768, .mode = TACHO_MODE_OVERWRITE },
	};
	struct session *session = NULL;

	return session_create(runtime, &options, &session, NULL) ? NULL : session;
}

static void use_session(struct runtime *runtime, const char *name)
{
	struct session_stats stats;
	struct session *session;

	if (session_open(runtime, name, &session, NULL))
		return;
	session_stats(session, &stats, NULL);
	if (session_start(session, NULL) || session_stop(session, NULL) || name[0] == 't')
		session_close(session);
	else
		session_discard(session, NULL);
}

static void use_tools(void)
{
	struct runtime runtime;
	struct session *session;
	char **all = NULL;

	if (runtime_open(&runtime, NULL))
		return;
	registries_visit(&runtime, nothing, NULL);
	session = make_session(&runtime, "new");
	if (session)
		session_discard(session, NULL);
	if (!session_names(&runtime, &all, NULL)) {
		for (char **name = all; *name; name++)
			use_session(&runtime, *name);
		session_names_free(all);
	}
	runtime_close(&runtime);
}

static void begin(void)
{
	struct runtime runtime;
	struct session *session;

	tree_remove(run, false);
	make_victim();
	if (runtime_open(&runtime, NULL))
		abort();
	session = make_session(&runtime, "s");
	if (!session)
		abort();
	session_close(session);
	runtime_close(&runtime);
}

static void fini(void)
{
	tree_remove(dir, false);
}

static void init(void)
{
	if (!mkdtemp(dir))
		abort();
	atexit(fini);
	snprintf(run, sizeof(run), "%s/run", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	snprintf(secret, sizeof(secret), "%s/victim/secret", dir);
	setenv("TACHO_RUNTIME_DIR", run, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static bool is_begun;

	if (!is_begun)
		init();
	is_begun = true;
	begin();
	for (int i = 0; i < DEEDS_MAX && bytes >= DEED_BYTES; i++, bytes -= DEED_BYTES) {
		do_one(data);
		data += DEED_BYTES;
	}
	use_tools();
	check_victim();
	return 0;
}
