/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "ctf/file.h"
#include "metadata.h"
#include "metadata_text.h"
#include "trace_private.h"

#define USER_LEVELS   5 /* ust, uid, UID, 64-bit and index */
#define KERNEL_LEVELS 2 /* kernel and index */

static void copy_text(char *to, size_t bytes, const char *from)
{
	snprintf(to, bytes, "%s", from);
}

/* RFC 4122, version 4. */
int ctf_uuid_make(uint8_t ret_uuid[CTF_UUID_BYTES])
{
	if (getrandom(ret_uuid, CTF_UUID_BYTES, 0) != CTF_UUID_BYTES)
		return errno ? -errno : -EIO;
	ret_uuid[6] = (uint8_t)((ret_uuid[6] & 0x0f) | 0x40);
	ret_uuid[8] = (uint8_t)((ret_uuid[8] & 0x3f) | 0x80);
	return 0;
}

void ctf_boot_uuid(uint8_t ret_uuid[CTF_UUID_BYTES])
{
	char text[METADATA_UUID_TEXT_BYTES] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(ret_uuid, 0, CTF_UUID_BYTES);
	if (fd < 0)
		return;
	if (file_read_at(fd, text, sizeof(text) - 1, 0) == sizeof(text) - 1)
		metadata_uuid_parse(text, ret_uuid);
	close(fd);
}

static void read_host(struct ctf_trace_info *info)
{
	struct utsname host;

	if (uname(&host))
		return;
	copy_text(info->hostname, sizeof(info->hostname), host.nodename);
	copy_text(info->sysname, sizeof(info->sysname), host.sysname);
	copy_text(info->kernel_release, sizeof(info->kernel_release), host.release);
	copy_text(info->kernel_version, sizeof(info->kernel_version), host.version);
	copy_text(info->machine, sizeof(info->machine), host.machine);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int ctf_trace_info_init(struct ctf_trace_info *info, const char *session_name, uint32_t uid,
			uint64_t created_ns)
{
	memset(info, 0, sizeof(*info));
	info->uid = uid;
	info->created_ns = created_ns ? created_ns : now_ns();
	copy_text(info->session_name, sizeof(info->session_name), session_name);
	ctf_boot_uuid(info->boot_uuid);
	read_host(info);
	return ctf_uuid_make(info->uuid);
}

/* mkdir -p: each '/' of @path is made the end for a moment. */
static int make_directories(char *path)
{
	for (char *p = path + 1; *p; p++) {
		int err;

		if (*p != '/')
			continue;
		*p = 0;
		err = mkdir(path, CTF_DIRECTORY_MODE) && errno != EEXIST ? -errno : 0;
		*p = '/';
		if (err)
			return err;
	}
	return 0;
}

static int open_directory(struct ctf_trace *trace)
{
	char path[PATH_MAX + sizeof("/index/")];
	int err;

	snprintf(path, sizeof(path), "%s/index/", trace->path);
	err = make_directories(path);
	if (err)
		return err;
	trace->dir_fd = open(trace->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (trace->dir_fd < 0)
		return -errno;
	trace->index_fd =
		openat(trace->dir_fd, "index", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return trace->index_fd < 0 ? -errno : 0;
}

/* A trace that is there keeps its UUID: it is in each of its packets. */
static int take_up(struct ctf_trace *trace)
{
	int err = metadata_read_uuid(trace->dir_fd, trace->info.uuid);

	return err == -ENOENT ? 0 : err;
}

/* The directory of the metadata, below that of the trace. */
static int trace_path(const char *dir, enum tacho_domain domain, uint32_t uid, char **ret_path)
{
	int length = domain == TACHO_DOMAIN_KERNEL ?
			     asprintf(ret_path, "%s/kernel", dir) :
			     asprintf(ret_path, "%s/ust/uid/%u/64-bit", dir, uid);

	return length < 0 ? -ENOMEM : 0;
}

int ctf_trace_uuid(const char *dir, enum tacho_domain domain, uint32_t uid,
		   uint8_t ret_uuid[CTF_UUID_BYTES])
{
	char *path;
	int dir_fd;
	int err = trace_path(dir, domain, uid, &path);

	if (err)
		return err;
	dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = dir_fd < 0 ? -errno : metadata_read_uuid(dir_fd, ret_uuid);
	if (dir_fd >= 0)
		close(dir_fd);
	free(path);
	return err;
}

/* Remove @path and what is above it, up to @levels directories, as far as nothing is in them. */
static void remove_directories(char *path, int levels)
{
	while (levels-- && (!rmdir(path) || errno == ENOENT))
		*strrchr(path, '/') = '\0';
}

static void remove_unused(const char *dir, enum tacho_domain domain, uint32_t uid)
{
	char index[PATH_MAX + sizeof("/index")];
	char metadata[PATH_MAX + sizeof("/metadata")];
	char *path;

	if (trace_path(dir, domain, uid, &path))
		return;
	snprintf(metadata, sizeof(metadata), "%s/metadata", path);
	snprintf(index, sizeof(index), "%s/index", path);
	if (strlen(path) < PATH_MAX && access(metadata, F_OK) && errno == ENOENT)
		remove_directories(index,
				   domain == TACHO_DOMAIN_KERNEL ? KERNEL_LEVELS : USER_LEVELS);
	free(path);
}

void ctf_trace_remove_unused(const char *dir, uint32_t uid)
{
	remove_unused(dir, TACHO_DOMAIN_USER, uid);
	remove_unused(dir, TACHO_DOMAIN_KERNEL, uid);
}

static struct ctf_trace *new_trace(const char *dir, const struct ctf_trace_info *info)
{
	struct ctf_trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->dir_fd = -1;
	trace->index_fd = -1;
	trace->info = *info;
	trace->dir = strdup(dir);
	if (trace->dir && !trace_path(dir, info->domain, info->uid, &trace->path))
		return trace;
	free(trace->dir);
	free(trace);
	return NULL;
}

int ctf_trace_open(const char *dir, const struct ctf_trace_info *info, struct ctf_trace **ret_trace,
		   struct tacho_error *error)
{
	struct ctf_trace *trace;
	int err;

	if (!*dir)
		return error_set(error, -EINVAL, "cannot write a trace: its directory has no name");
	trace = new_trace(dir, info);
	if (!trace)
		return error_set(error, -ENOMEM, "cannot open trace '%s': out of memory", dir);
	err = strlen(trace->path) < PATH_MAX ? open_directory(trace) : -ENAMETOOLONG;
	if (err) {
		error_set(error, err, "cannot make the trace directory '%s': %s", trace->path,
			  strerror(-err));
		goto fail;
	}
	err = take_up(trace);
	if (err) {
		error_set(error, err, "cannot go on with the trace in '%s': %s", trace->path,
			  err == -EBADMSG ? "another tracer wrote its metadata" : strerror(-err));
		goto fail;
	}
	*ret_trace = trace;
	return 0;
fail:
	ctf_trace_close(trace);
	return err;
}

void ctf_trace_close(struct ctf_trace *trace)
{
	if (!trace)
		return;
	if (trace->index_fd >= 0)
		close(trace->index_fd);
	if (trace->dir_fd >= 0)
		close(trace->dir_fd);
	remove_unused(trace->dir, trace->info.domain, trace->info.uid);
	free(trace->dir);
	free(trace->path);
	free(trace);
}

int ctf_trace_open_past(const char *dir, enum tacho_domain domain, uint32_t uid,
			struct ctf_trace **ret_trace)
{
	struct ctf_trace_info info = { .domain = domain, .uid = uid };
	struct ctf_trace *trace = new_trace(dir, &info);
	int err = trace ? 0 : -ENOMEM;

	if (!err)
		trace->dir_fd = open(trace->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!err && trace->dir_fd < 0)
		err = -errno;
	if (!err)
		err = metadata_read_uuid(trace->dir_fd, trace->info.uuid);
	if (err)
		ctf_trace_close(trace);
	else
		*ret_trace = trace;
	return err;
}

const char *ctf_trace_path(const struct ctf_trace *trace)
{
	return trace->path;
}

int ctf_trace_metadata(struct ctf_trace *trace, const struct ctf_schema *schema,
		       struct tacho_error *error)
{
	int err = metadata_write(trace->dir_fd, &trace->info, schema);

	if (err)
		error_set(error, err, "cannot write '%s/metadata': %s", trace->path,
			  strerror(-err));
	return err;
}
