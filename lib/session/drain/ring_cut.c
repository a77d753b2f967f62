/* SPDX-License-Identifier: MIT */
/* ring_cut.c - see ring_cut.h */
#include "session/drain/ring_cut.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/state.h"

#define MAGIC     0x737475636f686361ull
#define VERSION   ((uint32_t)(1u << 24 | sizeof(struct ring_cuts) << 12 | sizeof(struct ring_cut)))
#define TEMPORARY ".cuts"
#define RINGS_MAX (2u * TACHO_CHANNELS_MAX * TACHO_CPUS_MAX)

static size_t cuts_bytes(uint32_t ring_count)
{
	return sizeof(struct ring_cuts) + ring_count * sizeof(struct ring_cut);
}

struct ring_cuts *ring_cuts_new(uint32_t ring_count)
{
	struct ring_cuts *cuts = calloc(1, cuts_bytes(ring_count));

	if (!cuts)
		return NULL;
	cuts->magic = MAGIC;
	cuts->version = VERSION;
	cuts->ring_count = ring_count;
	return cuts;
}

struct ring_cut ring_cuts_get(const struct ring_cuts *cuts, uint32_t ring)
{
	return cuts && ring < cuts->ring_count ? cuts->cut[ring] : (struct ring_cut){ 0 };
}

static bool is_sane(const struct ring_cuts *cuts, uint64_t file_bytes)
{
	return cuts->magic == MAGIC && cuts->version == VERSION && cuts->ring_count <= RINGS_MAX &&
	       file_bytes == cuts_bytes(cuts->ring_count) &&
	       memchr(cuts->archive, 0, sizeof(cuts->archive)) && !strchr(cuts->archive, '/');
}

static int read_cuts(int fd, struct ring_cuts **ret_cuts)
{
	struct ring_cuts head;
	struct ring_cuts *cuts;
	struct stat st;
	int ret = fstat(fd, &st) ? -errno : fd_read_at(fd, &head, sizeof(head), 0);

	if (ret)
		return ret;
	if (!is_sane(&head, (uint64_t)st.st_size))
		return -EBADMSG;
	cuts = ring_cuts_new(head.ring_count);
	if (!cuts)
		return -ENOMEM;
	ret = fd_read_at(fd, cuts->cut, head.ring_count * sizeof(cuts->cut[0]), sizeof(head));
	*cuts = head;
	for (uint32_t i = 0; i < head.ring_count; i++) {
		if (cuts->cut[i].writer_bytes > sizeof(cuts->cut[i].writer))
			ret = -EBADMSG;
	}
	if (ret)
		free(cuts);
	else
		*ret_cuts = cuts;
	return ret;
}

int ring_cuts_load(int dir_fd, const char *name, struct ring_cuts **ret_cuts)
{
	int fd = file_open_at(dir_fd, name, O_RDONLY, 0);
	int ret;

	if (fd < 0)
		return fd;
	ret = read_cuts(fd, ret_cuts);
	fd_close(fd);
	return ret;
}

int ring_cuts_save(int dir_fd, const char *name, const struct ring_cuts *cuts)
{
	int fd = file_open_at(dir_fd, TEMPORARY, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int ret;

	if (fd < 0)
		return fd;
	ret = fd_write_all(fd, cuts, cuts_bytes(cuts->ring_count));
	fd_close(fd);
	if (!ret && renameat(dir_fd, TEMPORARY, dir_fd, name))
		ret = -errno;
	if (ret)
		unlinkat(dir_fd, TEMPORARY, 0);
	return ret;
}

uint32_t ring_cut_prefix(const struct ring_cut *cut, unsigned char *ret_record)
{
	const uint32_t id = TACHO_ID_WRITER;

	if (!cut->offset)
		return 0;
	memset(ret_record, 0, TACHO_EXTENDED_BYTES);
	ret_record[0] = TACHO_BIG_ENDIAN ? TACHO_ID_EXTENDED << 3 : TACHO_ID_EXTENDED;
	memcpy(ret_record + TACHO_EXTENDED_ID, &id, sizeof(id));
	memcpy(ret_record + TACHO_EXTENDED_TS, &cut->last_ts, sizeof(cut->last_ts));
	memcpy(ret_record + TACHO_EXTENDED_BYTES, cut->writer, cut->writer_bytes);
	return TACHO_EXTENDED_BYTES + cut->writer_bytes;
}
