/* SPDX-License-Identifier: MIT */
/* source.c - see source.h */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *place_below(const char *path, const char *dir)
{
	size_t bytes = strlen(dir);

	if (strncmp(path, dir, bytes))
		return "";
	path += bytes;
	return path + strspn(path, "/");
}

static int open_files(struct source_trace *trace)
{
	int rc = read_find_streams(trace->dir, &trace->paths);

	if (rc)
		return rc;
	return read_parts_new(trace->trace, &trace->paths, &trace->parts);
}

static int open_trace(struct source_trace *trace, const char *dir, const char *path)
{
	int rc;

	trace->dir = strdup(path);
	if (!trace->dir)
		return -ENOMEM;
	trace->place = place_below(trace->dir, dir);
	rc = read_trace_open(path, &trace->damage, &trace->trace);
	if (!rc)
		trace->damage.code = 0;
	if (!trace->trace)
		return rc == -ENOMEM ? rc : 0;
	rc = open_files(trace);
	if (rc && rc != -ENOMEM)
		error_set(&trace->damage, rc, "cannot list %s: %s", path, strerror(-rc));
	return rc == -ENOMEM ? rc : 0;
}

static int open_traces(struct source *source, const char *dir, const struct read_paths *paths)
{
	int rc = 0;

	source->traces = calloc(paths->count, sizeof(*source->traces));
	if (!source->traces)
		return -ENOMEM;
	for (size_t i = 0; i < paths->count && !rc; i++)
		rc = open_trace(&source->traces[source->trace_count++], dir, paths->path[i]);
	return rc;
}

int source_open(const char *dir, struct tacho_error *e, struct source *ret_source)
{
	struct read_paths paths;
	int rc;

	*ret_source = (struct source){ 0 };
	rc = read_find_traces(dir, &paths, &ret_source->skipped);
	if (rc)
		return error_set(e, rc, "cannot read %s: %s", dir, strerror(-rc));
	if (!paths.count)
		rc = error_set(e, -ENOENT, "no trace in %s: no file `metadata` is there or below",
			       dir);
	else
		rc = open_traces(ret_source, dir, &paths);
	if (rc == -ENOMEM)
		error_set(e, rc, "no memory for the traces in %s", dir);
	read_paths_fini(&paths);
	if (rc)
		source_close(ret_source);
	return rc;
}

void source_close(struct source *source)
{
	for (size_t i = 0; i < source->trace_count; i++) {
		struct source_trace *trace = &source->traces[i];

		free(trace->parts);
		read_paths_fini(&trace->paths);
		read_trace_free(trace->trace);
		free(trace->dir);
	}
	free(source->traces);
	*source = (struct source){ 0 };
}

int source_stream(const struct source_trace *trace, size_t at, size_t *ret_next,
		  struct read_stream **ret_stream)
{
	size_t count = read_parts_of_stream(&trace->parts[at], trace->paths.count - at);
	struct read_stream *stream;
	int rc = read_stream_new(trace->trace, trace->parts[at].path, &stream);

	for (size_t i = 1; i < count && !rc; i++) {
		rc = read_stream_add(stream, trace->parts[at + i].path);
		if (rc)
			read_stream_free(stream);
	}
	*ret_next = at + count;
	if (!rc)
		*ret_stream = stream;
	return rc;
}

uint64_t source_bytes(const struct source_trace *trace)
{
	uint64_t bytes = 0;
	struct stat st;

	for (size_t i = 0; i < trace->paths.count; i++)
		bytes += lstat(trace->paths.path[i], &st) ? 0 : (uint64_t)st.st_size;
	return bytes;
}

const char *source_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
