/* SPDX-License-Identifier: MIT */
/* channels.c - see channels.h */
#include "session/rules/channels.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/fd.h"
#include "base/str.h"
#include "ring/rings.h"
#include "session/cpus.h"
#include "session/kernel/channel.h"
#include "session/kernel/recorder.h"
#include "session/ring_place.h"
#include "session/state.h"

/* Portable writers share rings; each takes memory once it is needed: when the owners of all others
 * were preempted. Whoever finds them all owned loses a record, so there are enough. */
#define SHARDS 16

/* Rings that are made with the channel; those of more CPUs are made by the first program that records
 * there, so that memory follows the CPUs that are used. */
#define RINGS_AHEAD 16

#define MIB 1048576.0

/* LTTng's, where only the number of sub-buffers is given. */
#define SUBBUF_BYTES_DEFAULT (512u << 10)

/* Instead of one that is larger than possible there are several. No more than would be refused. */
static uint64_t count_subbufs(uint64_t count, uint64_t bytes)
{
	uint64_t most = 1ull << TACHO_SUBBUF_SHIFT_MAX;

	return bytes > most && count <= TACHO_SUBBUFS_MAX ? count * ((bytes - 1) / most + 1) :
							    count;
}

/* Rings of sub-buffers of a wanted size have at least so many of them as a ring needs. */
static void choose_subbufs(const struct channel_options *o, struct ring_geometry *g)
{
	uint64_t bytes = o->subbuf_bytes ? o->subbuf_bytes : SUBBUF_BYTES_DEFAULT;
	uint64_t count =
		count_subbufs(o->subbuf_count ? o->subbuf_count : TACHO_SUBBUFS_MIN, bytes);
	uint32_t shift = TACHO_SUBBUF_SHIFT_MIN;

	while (shift < TACHO_SUBBUF_SHIFT_MAX && 1ull << shift < bytes)
		shift++;
	for (; count > TACHO_SUBBUFS_MAX && shift < TACHO_SUBBUF_SHIFT_MAX; shift++)
		count = (count + 1) / 2;
	if (count < TACHO_SUBBUFS_MIN)
		count = TACHO_SUBBUFS_MIN;
	g->subbuf_count = count < TACHO_SUBBUFS_MAX ? (uint32_t)count : TACHO_SUBBUFS_MAX;
	g->subbuf_shift = shift;
	g->stride = TACHO_RING_CONTROL_BYTES + ((uint64_t)g->subbuf_count << shift);
}

static int set_wrong_size(uint64_t bytes, struct tacho_error *error)
{
	return error_set(error, -EINVAL,
			 "a buffer of %llu bytes per CPU is not possible: at least %u (16 KiB), at "
			 "most %llu (16 GiB)",
			 (unsigned long long)bytes, TACHO_RING_BYTES_MIN, TACHO_RING_BYTES_MAX);
}

static int choose_geometry(const struct channel_options *o, struct ring_geometry *ret_geometry,
			   struct tacho_error *error)
{
	uint64_t bytes = o->buffer_bytes ? o->buffer_bytes : TACHO_RING_BYTES_DEFAULT;

	if (!o->subbuf_bytes && !o->subbuf_count)
		return ring_geometry_init(ret_geometry, bytes) ? set_wrong_size(bytes, error) : 0;
	choose_subbufs(o, ret_geometry);
	bytes = (uint64_t)ret_geometry->subbuf_count << ret_geometry->subbuf_shift;
	return bytes > TACHO_RING_BYTES_MAX ? set_wrong_size(bytes, error) : 0;
}

int channel_init(const struct channel_options *options, struct tacho_channel *ret_channel,
		 struct tacho_error *error)
{
	const char *name = options->name ? options->name : CHANNEL_DEFAULT_NAME;
	char escaped[NAME_ESCAPED_BYTES];
	struct ring_geometry geometry;
	int ret = name_escape("channel", name, TACHO_CHANNEL_NAME_BYTES - 1, escaped, error);

	if (!ret && (unsigned)options->mode > TACHO_MODE_BLOCK)
		ret = error_set(error, -EINVAL, "there is no channel mode %d", (int)options->mode);
	if (!ret)
		ret = choose_geometry(options, &geometry, error);
	if (ret)
		return ret;
	*ret_channel = (struct tacho_channel){
		.mode = options->mode,
		.subbuf_count = geometry.subbuf_count,
		.subbuf_shift = geometry.subbuf_shift,
		.ring_count = cpus_possible(),
		.stride = geometry.stride,
		.block_timeout_ns = options->block_timeout_ns,
		.tracefile_bytes = options->tracefile_bytes,
		.tracefile_count = options->tracefile_count,
		.ownership = options->ownership,
		.domain = options->domain,
	};
	return str_copy(ret_channel->name, sizeof(ret_channel->name), name);
}

/* The kernel is written for by one tool at a time, and only in root's own session. */
bool session_has_rings(const struct tacho_session *file, const struct tacho_channel *channel,
		       enum tacho_writer_kind kind)
{
	if (channel->domain != TACHO_DOMAIN_KERNEL)
		return true;
	return kind == TACHO_WRITER_PORTABLE && !file->mirror_of;
}

int session_ring_file(const struct tacho_channel *channel, enum tacho_writer_kind kind,
		      char *ret_name)
{
	const char *suffix = kind == TACHO_WRITER_RSEQ ? RINGS_SUFFIX : SHARDS_SUFFIX;

	if (channel->domain == TACHO_DOMAIN_KERNEL)
		suffix = KERNEL_SUFFIX;
	return session_channel_file(channel, suffix, ret_name);
}

int session_channel_file(const struct tacho_channel *channel, const char *suffix, char *ret_name)
{
	char name[TACHO_CHANNEL_NAME_BYTES + 1] = "";
	char escaped[NAME_ESCAPED_BYTES];
	int ret;

	memcpy(name, channel->name, TACHO_CHANNEL_NAME_BYTES);
	ret = name_escape("channel", name, TACHO_CHANNEL_NAME_BYTES - 1, escaped, NULL);
	if (ret)
		return ret;
	return str_print(ret_name, NAME_MAX + 1, "%s%s", escaped, suffix);
}

static uint64_t free_bytes(int dir_fd)
{
	struct statvfs st;

	return fstatvfs(dir_fd, &st) ? UINT64_MAX : (uint64_t)st.f_bavail * st.f_frsize;
}

static bool has_no_free_file(int dir_fd)
{
	struct statvfs st;

	return !fstatvfs(dir_fd, &st) && st.f_files && !st.f_favail;
}

static int set_no_space(const char *path, int dir_fd, uint32_t cpus, uint64_t needed,
			struct tacho_error *error)
{
	uint64_t found = free_bytes(dir_fd);

	if (has_no_free_file(dir_fd))
		return error_set(error, -ENOSPC,
				 "no more files can be made in %s, which has as many as its file "
				 "system may have; remove some, or set TACHO_RUNTIME_DIR to a "
				 "directory on another tmpfs",
				 path);
	return error_set(error, -ENOSPC,
			 "the buffers need %llu bytes (%.1f MiB for %u CPUs) in %s, where %llu "
			 "bytes (%.1f MiB) are free; choose smaller ones (--buffer), or set "
			 "TACHO_RUNTIME_DIR to a directory on a larger tmpfs",
			 (unsigned long long)needed, (double)needed / MIB, cpus, path,
			 (unsigned long long)found, (double)found / MIB);
}

static struct rings_parameters rings_parameters(const struct tacho_session *file,
						const struct tacho_channel *channel,
						enum tacho_writer_kind kind, uint32_t ring_count)
{
	return (struct rings_parameters){
		.geometry = { channel->subbuf_count, channel->subbuf_shift, channel->stride },
		.session_instance = file->instance,
		.block_timeout_ns = channel->block_timeout_ns,
		.ring_count = ring_count,
		.mode = channel->mode,
		.writer_kind = kind,
		.clock_kind = file->clock_kind,
	};
}

/* The module cannot allocate: a CPU that has no ring loses its records. */
static uint32_t rings_ahead(const struct tacho_channel *channel)
{
	return channel_is_of_module(channel) ? channel->ring_count : RINGS_AHEAD;
}

static int allocate_online(struct rings *rings, const struct cpu_set *online, uint32_t most)
{
	uint32_t made = 0;
	int ret = 0;

	for (uint32_t cpu = 0; !ret && cpu < rings->ring_count && made < most; cpu++) {
		if (!cpu_set_has(online, cpu))
			continue;
		ret = ring_allocate(rings, cpu);
		made++;
	}
	return ret;
}

static int create_file(int dir_fd, const struct tacho_channel *channel,
		       const struct rings_parameters *p, char *ret_name, struct tacho_error *error)
{
	int ret = session_ring_file(channel, p->writer_kind, ret_name);

	return ret ? ret : rings_create(dir_fd, ret_name, p, error);
}

static int create_shards(int dir_fd, const struct tacho_session *file,
			 const struct tacho_channel *channel, struct tacho_error *error)
{
	struct rings_parameters p = rings_parameters(file, channel, TACHO_WRITER_PORTABLE, SHARDS);
	char name[NAME_MAX + 1];

	return create_file(dir_fd, channel, &p, name, error);
}

static int create_rings(int dir_fd, const struct tacho_session *file,
			const struct tacho_channel *channel, enum tacho_writer_kind kind,
			const struct cpu_set *online, struct tacho_error *error)
{
	struct rings_parameters p = rings_parameters(file, channel, kind, channel->ring_count);
	char name[NAME_MAX + 1];
	struct rings rings;
	int ret = create_file(dir_fd, channel, &p, name, error);

	if (!ret)
		ret = rings_open(dir_fd, name, &rings, error);
	if (ret)
		return ret;
	ret = allocate_online(&rings, online, rings_ahead(channel));
	rings_close(&rings);
	if (ret)
		error_set(error, ret, "cannot allocate the rings of channel '%s': %s",
			  channel->name, strerror(-ret));
	return ret;
}

static int create_both(int dir_fd, const struct tacho_session *file,
		       const struct tacho_channel *channel, const struct cpu_set *online,
		       struct tacho_error *error)
{
	int ret;

	if (channel->domain == TACHO_DOMAIN_KERNEL)
		return create_rings(dir_fd, file, channel,
				    channel_is_of_module(channel) ? TACHO_WRITER_KERNEL :
								    TACHO_WRITER_PORTABLE,
				    online, error);
	ret = create_rings(dir_fd, file, channel, TACHO_WRITER_RSEQ, online, error);
	return ret ? ret : create_shards(dir_fd, file, channel, error);
}

/* @path: of the directory, for messages. */
static int create_files(const char *path, int dir_fd, const struct tacho_session *file,
			const struct tacho_channel *channel, struct tacho_error *error)
{
	struct cpu_set online;
	uint32_t count;
	uint64_t needed;
	int ret;

	cpus_online(&online);
	count = cpu_set_count(&online);
	if (count > rings_ahead(channel))
		count = rings_ahead(channel);
	needed = tacho_rings_file_bytes(count, channel->stride);
	if (needed > free_bytes(dir_fd))
		return set_no_space(path, dir_fd, count, needed, error);
	ret = create_both(dir_fd, file, channel, &online, error);
	if (ret == -ENOSPC)
		set_no_space(path, dir_fd, count, needed, error);
	return ret;
}

static int link_files(int dir_fd, const struct tacho_session *file,
		      const struct tacho_channel *channel, struct tacho_error *error)
{
	char name[NAME_MAX + 1];
	int ret = 0;

	for (unsigned int kind = 0; !ret && kind <= TACHO_WRITER_PORTABLE; kind++) {
		if (!session_has_rings(file, channel, kind))
			continue;
		ret = session_ring_file(channel, kind, name);
		if (!ret)
			ret = ring_place_link(dir_fd, file, name);
	}
	if (ret)
		error_set(error, ret, "cannot make a link to the rings of channel '%s' in %s: %s",
			  channel->name, file->shm_path, strerror(-ret));
	return ret;
}

int channel_create(struct runtime *runtime, int dir_fd, const struct tacho_session *file,
		   const struct tacho_channel *channel, struct tacho_error *error)
{
	int place_fd, ret;

	if (channel->domain == TACHO_DOMAIN_KERNEL && file->mirror_of)
		return 0; /* root's session has it */
	place_fd = ring_place_open(dir_fd, file, error);
	if (place_fd < 0)
		return place_fd;
	ret = create_files(file->shm_path[0] ? file->shm_path : runtime->path, place_fd, file,
			   channel, error);
	fd_close(place_fd);
	if (!ret)
		ret = link_files(dir_fd, file, channel, error);
	if (!ret && channel->domain == TACHO_DOMAIN_KERNEL)
		ret = kernel_channel_make(dir_fd, file, channel, error);
	return ret;
}
