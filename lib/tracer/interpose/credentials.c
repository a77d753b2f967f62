/* SPDX-License-Identifier: MIT */
/*
 * credentials.c - setuid() and its like, setns() and unshare(), in front of the C library's, so that
 * the tracer learns that its process has got other ids or namespaces. Only in shared libraries, as
 * pthread_setname.c says; a static program calls tacho_process_changed() itself, and so does one
 * that makes the system calls without the C library.
 *
 * What they call is looked up at the first call, as there: to look up all when the library is loaded
 * would make each program call free(), which its heap's trace would show.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

#include "format/port.h"
#include "tacho/abi.h"

#define EXPORTED __attribute__((visibility("default")))

enum call {
	SETUID,
	SETEUID,
	SETREUID,
	SETRESUID,
	SETGID,
	SETEGID,
	SETREGID,
	SETRESGID,
	SETNS,
	UNSHARE,
	CALLS,
};

static const char *const names[CALLS] = {
	[SETUID] = "setuid",       [SETEUID] = "seteuid",     [SETREUID] = "setreuid",
	[SETRESUID] = "setresuid", [SETGID] = "setgid",       [SETEGID] = "setegid",
	[SETREGID] = "setregid",   [SETRESGID] = "setresgid", [SETNS] = "setns",
	[UNSHARE] = "unshare",
};

static int missing(void)
{
	errno = ENOSYS;
	return -1;
}

/* Never NULL. Whoever looks it up finds the same. */
static void *next(enum call call)
{
	static void *known[CALLS];
	void *found = tacho_load_relaxed(&known[call]);

	if (!found) {
		found = dlsym(RTLD_NEXT, names[call]);
		tacho_store_relaxed(&known[call], found ? found : (void *)missing);
	}
	return tacho_load_relaxed(&known[call]);
}

/* Also after a failure: of several ids some may have changed. */
static int changed(int ret)
{
	tacho_process_changed();
	return ret;
}

typedef int one_id(uid_t);
typedef int two_ids(uid_t, uid_t);
typedef int three_ids(uid_t, uid_t, uid_t);

EXPORTED int setuid(uid_t uid)
{
	return changed(((one_id *)next(SETUID))(uid));
}

EXPORTED int seteuid(uid_t uid)
{
	return changed(((one_id *)next(SETEUID))(uid));
}

EXPORTED int setreuid(uid_t real, uid_t effective)
{
	return changed(((two_ids *)next(SETREUID))(real, effective));
}

EXPORTED int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	return changed(((three_ids *)next(SETRESUID))(real, effective, saved));
}

EXPORTED int setgid(gid_t gid)
{
	return changed(((one_id *)next(SETGID))(gid));
}

EXPORTED int setegid(gid_t gid)
{
	return changed(((one_id *)next(SETEGID))(gid));
}

EXPORTED int setregid(gid_t real, gid_t effective)
{
	return changed(((two_ids *)next(SETREGID))(real, effective));
}

EXPORTED int setresgid(gid_t real, gid_t effective, gid_t saved)
{
	return changed(((three_ids *)next(SETRESGID))(real, effective, saved));
}

EXPORTED int setns(int fd, int type)
{
	return changed(((int (*)(int, int))next(SETNS))(fd, type));
}

EXPORTED int unshare(int flags)
{
	return changed(((int (*)(int))next(UNSHARE))(flags));
}
