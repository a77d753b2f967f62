/* SPDX-License-Identifier: MIT */
/* snapshot_output.c - where the snapshots of a session go; see session.h and snapshot_output.h */
#include "session/drain/snapshot_output.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "session/paths.h"
#include "session/state.h"

#define DEFAULT_NAME "snapshot"

static int check_name(const char *name, struct tacho_error *error)
{
	if (!*name || *name == '.' || strchr(name, '/') || strlen(name) >= TACHO_CHANNEL_NAME_BYTES)
		return error_set(error, -EINVAL,
				 "'%s' cannot be the beginning of a file's name: at most %d bytes, "
				 "without a '/', and no '.' first",
				 name, TACHO_CHANNEL_NAME_BYTES - 1);
	return 0;
}

/* In the place of add-output; below the directory that the user chose for a flight recorder; beside
 * the trace of a streaming session, of which it must not become a part. */
static int prefix_of(const struct session *session, const char *name,
		     char ret_prefix[TACHO_PATH_BYTES], struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	char base[TACHO_PATH_BYTES];
	int ret;

	if (file->snapshot_output[0])
		ret = str_print(ret_prefix, TACHO_PATH_BYTES, "%s/%s", file->snapshot_output, name);
	else if (file->output[0])
		ret = str_print(ret_prefix, TACHO_PATH_BYTES, "%s%s%s", file->output,
				file->streaming ? "-" : "/", name);
	else {
		ret = trace_default_prefix(session->escaped, base, error);
		if (ret)
			return ret;
		ret = str_print(ret_prefix, TACHO_PATH_BYTES, "%s-%s", base, name);
	}
	return ret ? error_set(error, ret, "the path of the snapshot is too long") : 0;
}

static int make_dated(const struct session *session, const char *name,
		      char ret_path[TACHO_PATH_BYTES], struct tacho_error *error)
{
	char prefix[TACHO_PATH_BYTES];
	int ret;

	if (!name)
		name = session->file->snapshot_name[0] ? session->file->snapshot_name :
							 DEFAULT_NAME;
	ret = check_name(name, error);
	if (!ret)
		ret = prefix_of(session, name, prefix, error);
	return ret ? ret : trace_make_dated(prefix, ret_path, error);
}

int snapshot_make_dir(const struct session *session, const struct snapshot_options *options,
		      char ret_path[TACHO_PATH_BYTES], bool *ret_made, struct tacho_error *error)
{
	int ret;

	if (session->file->mirror_of) /* a part of root's */
		return str_copy(ret_path, TACHO_PATH_BYTES, session_output(session));
	if (options->output) {
		ret = trace_absolute_path(options->output, ret_path, error);
		return ret ? ret : trace_make_dir(ret_path, ret_made, error);
	}
	ret = make_dated(session, options->name, ret_path, error);
	*ret_made = !ret;
	return ret;
}

static int set_output(struct tacho_session *file, const char *path,
		      const struct snapshot_options *output, struct tacho_error *error)
{
	if (file->snapshot_output[0])
		return error_set(error, -EEXIST,
				 "the snapshots of session '%s' go to %s already; take that back "
				 "first: tacho snapshot del-output -s '%s'",
				 file->name, file->snapshot_output, file->name);
	str_copy(file->snapshot_output, sizeof(file->snapshot_output), path);
	str_copy(file->snapshot_name, sizeof(file->snapshot_name),
		 output->name ? output->name : "");
	file->snapshot_max_bytes = output->max_bytes;
	return 0;
}

int session_add_snapshot_output(struct session *session, const struct snapshot_options *output,
				struct tacho_error *error)
{
	char path[TACHO_PATH_BYTES];
	int ret = trace_absolute_path(output->output, path, error);

	if (!ret && output->name)
		ret = check_name(output->name, error);
	if (!ret)
		ret = session_lock(session, error);
	if (ret)
		return ret;
	ret = set_output(session->file, path, output, error);
	session_unlock(session);
	return ret;
}

int session_del_snapshot_output(struct session *session, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	if (!file->snapshot_output[0])
		ret = error_set(error, -ENOENT, "the session '%s' has no output for snapshots",
				file->name);
	file->snapshot_output[0] = '\0';
	file->snapshot_name[0] = '\0';
	file->snapshot_max_bytes = 0;
	session_unlock(session);
	return ret;
}
