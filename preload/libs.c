/* SPDX-License-Identifier: MIT */
/*
 * libs.c - libtacho-libs.so: records which executable and libraries a process has where, and how
 * that changes, so that addresses in a trace can be told as functions.
 *
 *      start of the process, fork()     libs_known.c: the state dump
 *      dlopen(), dlmopen(), dlclose()   libs_known.c: what came and went; here: the call itself
 *
 * Where the dynamic linker looks for a library depends on who asks: the run path of the library
 * from which dlopen() is called counts. Behind a wrapper that is the wrapper. So where it would
 * make a difference, the wrapper jumps to the real function, which sees the true caller; what it
 * loads is then recorded at the next call of any of these functions, or at the end, and not the
 * call. The jumps are made by the optimiser (-foptimize-sibling-calls).
 *
 * dlclose() is recorded before it happens: the next library at that address is recorded after it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "format/port.h"
#include "libs_image.h"
#include "libs_known.h"
#include "tacho/event.h"

#define EXPORT   __attribute__((visibility("default")))
#define NOINLINE __attribute__((noinline))

/* Where the program goes on; only in a function that it calls itself. */
#define CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

typedef void *open_function(const char *file, int flags);
typedef void *open_in_function(Lmid_t nsid, const char *file, int flags);
typedef int close_function(void *handle);

/* All who look them up find the same. */
static open_function *real_dlopen;
static open_in_function *real_dlmopen;
static close_function *real_dlclose;

#define REAL(name)                                                                                 \
	({                                                                                         \
		__typeof__(real_##name) real_ = tacho_load_relaxed(&real_##name);                  \
                                                                                                   \
		if (!real_) {                                                                      \
			real_ = (__typeof__(real_))dlsym(RTLD_NEXT, #name);                        \
			tacho_store_relaxed(&real_##name, real_);                                  \
		}                                                                                  \
		real_;                                                                             \
	})

static bool has_tag(const struct link_map *map, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == tag)
			return true;
	return false;
}

static const struct link_map *first_map(const struct link_map *map)
{
	while (map->l_prev)
		map = map->l_prev;
	return map;
}

/* Would the dynamic linker search elsewhere for us than for @caller? */
static NOINLINE bool depends_on_caller(const char *file, const void *caller)
{
	struct link_map *map;
	Dl_info where;

	if (!file || (strchr(file, '/') && !strchr(file, '$')))
		return false;
	if (strchr(file, '$') || !dladdr1(caller, &where, (void **)&map, RTLD_DL_LINKMAP))
		return true;
	return has_tag(map, DT_RUNPATH) || has_tag(map, DT_RPATH) ||
	       has_tag(first_map(map), DT_RPATH);
}

static void record_build_id(const struct image *image)
{
	if (image->build_id_bytes)
		tacho_event(lttng_ust_dl, build_id, "baddr", (void *)image->base, "build_id",
			    tacho_bytes(image->build_id, image->build_id_bytes));
}

static NOINLINE void record_open(void *handle, int flags, void *caller)
{
	int saved = errno;
	struct image image;

	known_refresh();
	if (tacho_enabled(lttng_ust_dl, dlopen) && image_of_handle(handle, &image)) {
		tacho_event(lttng_ust_dl, dlopen, "baddr", (void *)image.base, "memsz", image.bytes,
			    "flags", flags, "path", image.path, "has_build_id",
			    (uint8_t)(image.build_id_bytes > 0), "has_debug_link", (uint8_t)0,
			    "caller", caller);
		record_build_id(&image);
	}
	errno = saved;
}

static NOINLINE void record_open_in(void *handle, Lmid_t nsid, int flags, void *caller)
{
	int saved = errno;
	struct image image;

	known_refresh();
	if (tacho_enabled(lttng_ust_dl, dlmopen) && image_of_handle(handle, &image)) {
		tacho_event(lttng_ust_dl, dlmopen, "baddr", (void *)image.base, "memsz",
			    image.bytes, "nsid", nsid, "flags", flags, "path", image.path,
			    "has_build_id", (uint8_t)(image.build_id_bytes > 0), "has_debug_link",
			    (uint8_t)0, "caller", caller);
		record_build_id(&image);
	}
	errno = saved;
}

/* Functions of their own, so that no compiler makes one call of this and of the one that is recorded. */
static NOINLINE void *open_as_caller(const char *file, int flags)
{
	return REAL(dlopen)(file, flags);
}

static NOINLINE void *open_recorded(const char *file, int flags, void *caller)
{
	void *handle = REAL(dlopen)(file, flags);

	if (handle)
		record_open(handle, flags, caller);
	return handle;
}

EXPORT void *dlopen(const char *file, int flags)
{
	if (depends_on_caller(file, CALLER()))
		return open_as_caller(file, flags);
	return open_recorded(file, flags, CALLER());
}

static NOINLINE void *open_in_as_caller(Lmid_t nsid, const char *file, int flags)
{
	return REAL(dlmopen)(nsid, file, flags);
}

static NOINLINE void *open_in_recorded(Lmid_t nsid, const char *file, int flags, void *caller)
{
	void *handle = REAL(dlmopen)(nsid, file, flags);

	if (handle)
		record_open_in(handle, nsid, flags, caller);
	return handle;
}

EXPORT void *dlmopen(Lmid_t nsid, const char *file, int flags)
{
	if (depends_on_caller(file, CALLER()))
		return open_in_as_caller(nsid, file, flags);
	return open_in_recorded(nsid, file, flags, CALLER());
}

static NOINLINE void record_close(void *handle, void *caller)
{
	int saved = errno;
	struct image image;

	if (tacho_enabled(lttng_ust_dl, dlclose) && image_of_handle(handle, &image))
		tacho_event(lttng_ust_dl, dlclose, "baddr", (void *)image.base, "caller", caller);
	errno = saved;
}

EXPORT int dlclose(void *handle)
{
	int result;

	record_close(handle, CALLER());
	result = REAL(dlclose)(handle);
	known_refresh();
	return result;
}

/* libtacho calls it when it has attached the process to a session. */
EXPORT void tacho_libs_dump(void);
void tacho_libs_dump(void)
{
	known_dump();
}

static __attribute__((constructor)) void begin(void)
{
	known_refresh();
	pthread_atfork(NULL, NULL, known_after_fork);
}

static __attribute__((destructor)) void end(void)
{
	known_refresh();
}
