/* SPDX-License-Identifier: MIT */
/* metadata.c - the metadata of a new trace; see edit_private.h */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "ctf/read/file.h"
#include "ctf/read/metadata.h"
#include "ctf/write/ctf2.h"
#include "edit_private.h"
#include "odd.h"
#include "plain.h"
#include "tsdl.h"

#define NAME "metadata"

/* As they are. */
static int copy_file(const struct source_trace *trace, char **ret_data, size_t *ret_bytes)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s/" NAME, trace->dir) < 0)
		return -ENOMEM;
	rc = read_file_all(path, READ_METADATA_BYTES_MAX, ret_data, ret_bytes);
	free(path);
	return rc;
}

/* What is known of them. */
static int write_anew(const struct source_trace *trace, bool is_ctf2, char **ret_data,
		      size_t *ret_bytes)
{
	FILE *out = open_memstream(ret_data, ret_bytes);
	int rc;

	if (!out)
		return -ENOMEM;
	rc = is_ctf2 ? ctf2_write(out, trace->trace) : tsdl_write(out, trace->trace);
	if (ferror(out) && !rc)
		rc = -ENOMEM;
	if (fclose(out) && !rc)
		rc = -ENOMEM;
	if (rc)
		free(*ret_data);
	return rc;
}

static int put(int dir_fd, const char *data, size_t bytes)
{
	int fd = openat(dir_fd, NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, CTF_FILE_MODE);
	int rc;

	if (fd < 0)
		return -errno;
	rc = fd_write_all(fd, data, bytes);
	fd_close(fd);
	return rc;
}

bool edit_is_plain(const struct edit *edit, const struct read_trace *trace)
{
	return edit->request->format == EDIT_CTF1 && plain_is_needed(trace);
}

int edit_metadata(struct edit *edit, const struct source_trace *trace, bool is_changed, int dir_fd)
{
	bool was_ctf2 = trace->trace->metadata.major == 2;
	bool is_ctf2 =
		edit->request->format == EDIT_AS_IS ? was_ctf2 : edit->request->format == EDIT_CTF2;
	const char *odd = odd_metadata(trace->trace);
	bool is_anew = trace->damage.code || odd || is_changed || is_ctf2 != was_ctf2;
	size_t bytes = 0;
	char *data = NULL;
	int rc = is_anew ? write_anew(trace, is_ctf2, &data, &bytes) :
			   copy_file(trace, &data, &bytes);

	if (rc == -ENOTSUP)
		return error_set(edit->e, rc, "CTF %s cannot describe the fields of %s",
				 is_ctf2 ? "2" : "1.8", trace->dir);
	if (rc)
		return error_set(edit->e, rc, "cannot make the metadata of %s: %s", trace->dir,
				 strerror(-rc));
	rc = put(dir_fd, data, bytes);
	free(data);
	if (rc)
		return error_set(edit->e, rc, "cannot write the metadata of %s: %s", trace->dir,
				 strerror(-rc));
	if (trace->damage.code)
		edit_repaired(edit, "metadata: written anew, with what could be read of it");
	else if (odd)
		edit_repaired(edit, "metadata: %s; written anew", odd);
	return 0;
}
