/* SPDX-License-Identifier: MIT */
/* trace_files.c - what a trace takes on disk, file by file; see trace.h */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "packet.h"
#include "trace.h"
#include "trace_private.h"

/* Files that grow have a hole at their end, which takes nothing. Some file systems do not yet know of
 * blocks what was just written. */
static uint64_t bytes_on_disk(int dir_fd, const char *name)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return 0;
	return (uint64_t)(st.st_blocks ? st.st_blocks * 512 : st.st_size);
}

static int index_name(const char *name, char ret_name[NAME_MAX + 1])
{
	return snprintf(ret_name, NAME_MAX + 1, "%s.idx", name) <= NAME_MAX ? 0 : -ENAMETOOLONG;
}

static uint64_t index_bytes(const struct ctf_trace *trace, const char *name)
{
	char index[NAME_MAX + 1];

	return index_name(name, index) ? 0 : bytes_on_disk(trace->index_fd, index);
}

/* Return: 1; 0: it is no stream of this trace; or a negative errno. */
static int look_at(const struct ctf_trace *trace, const char *name, struct ctf_trace_file *ret_file)
{
	struct ctf_packet_head head;
	ssize_t got;
	int fd = file_open_at(trace->dir_fd, name, O_RDONLY, 0);

	if (fd < 0)
		return 0;
	got = file_read_at(fd, &head, sizeof(head), 0);
	close(fd);
	if (got < (ssize_t)sizeof(head) || head.magic != CTF_PACKET_MAGIC ||
	    memcmp(head.uuid, trace->info.uuid, sizeof(head.uuid)))
		return 0;
	*ret_file = (struct ctf_trace_file){
		.name = strdup(name),
		.begin_ts = head.begin_ts,
		.bytes = bytes_on_disk(trace->dir_fd, name) + index_bytes(trace, name),
	};
	return ret_file->name ? 1 : -ENOMEM;
}

struct list {
	struct ctf_trace_file *files;
	int count;
};

static int add(struct list *list, const struct ctf_trace_file *file)
{
	struct ctf_trace_file *files =
		realloc(list->files, ((size_t)list->count + 1) * sizeof(*files));

	if (!files) {
		free(file->name);
		return -ENOMEM;
	}
	list->files = files;
	files[list->count++] = *file;
	return 0;
}

static int list_files(const struct ctf_trace *trace, DIR *dir, struct list *list)
{
	const struct dirent *entry;
	int found = 0;

	while (found >= 0 && (entry = readdir(dir))) {
		struct ctf_trace_file file;

		if (entry->d_name[0] == '.')
			continue;
		found = look_at(trace, entry->d_name, &file);
		if (found > 0)
			found = add(list, &file);
	}
	return found < 0 ? found : 0;
}

int ctf_trace_files(const struct ctf_trace *trace, struct ctf_trace_file **ret_files,
		    uint64_t *ret_bytes)
{
	int fd = openat(trace->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct list list = { 0 };
	int err = dir ? list_files(trace, dir, &list) : -errno;

	if (dir)
		closedir(dir);
	else
		fd_close(fd);
	if (err) {
		ctf_trace_files_free(list.files, list.count);
		return err;
	}
	*ret_bytes = bytes_on_disk(trace->dir_fd, "metadata");
	for (int i = 0; i < list.count; i++)
		*ret_bytes += list.files[i].bytes;
	*ret_files = list.files;
	return list.count;
}

void ctf_trace_files_free(struct ctf_trace_file *files, int count)
{
	for (int i = 0; i < count; i++)
		free(files[i].name);
	free(files);
}

int ctf_trace_remove_file(const struct ctf_trace *trace, const char *name)
{
	char index[NAME_MAX + 1];

	if (!index_name(name, index))
		unlinkat(trace->index_fd, index, 0);
	return unlinkat(trace->dir_fd, name, 0) ? -errno : 0;
}
