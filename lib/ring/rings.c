/* SPDX-License-Identifier: MIT */
#include "ring/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"

/* Eight or more sub-buffers, so that an overwriting ring always holds at least 7/8 of its bytes;
 * fewer only where they would be smaller than a page. */
int ring_geometry_init(struct ring_geometry *g, uint64_t buffer_bytes)
{
	uint32_t shift = TACHO_SUBBUF_SHIFT_MIN;

	if (buffer_bytes < TACHO_RING_BYTES_MIN || buffer_bytes > TACHO_RING_BYTES_MAX)
		return -EINVAL;
	while (shift < TACHO_SUBBUF_SHIFT_MAX && buffer_bytes >> (shift + 1) >= 8)
		shift++;
	g->subbuf_shift = shift;
	g->subbuf_count = (uint32_t)(buffer_bytes >> shift);
	g->stride = TACHO_RING_CONTROL_BYTES + ((uint64_t)g->subbuf_count << shift);
	return 0;
}

static void fill_header(struct tacho_rings *h, const struct rings_parameters *p)
{
	*h = (struct tacho_rings){
		.magic = TACHO_RINGS_MAGIC,
		.version = TACHO_RINGS_VERSION,
		.writer_kind = p->writer_kind,
		.session_instance = p->session_instance,
		.ring_count = p->ring_count,
		.subbuf_count = p->geometry.subbuf_count,
		.subbuf_shift = p->geometry.subbuf_shift,
		.mode = p->mode,
		.stride = p->geometry.stride,
		.block_timeout_ns = p->block_timeout_ns,
		.clock_kind = p->clock_kind,
	};
}

/* The header is written with write(2), so it is allocated by it, or there is an error. */
static int write_header(int fd, const struct rings_parameters *p)
{
	union {
		struct tacho_rings header;
		char page[TACHO_RINGS_HEADER_BYTES];
	} u;
	ssize_t n;

	memset(&u, 0, sizeof(u));
	fill_header(&u.header, p);
	if (ftruncate(fd, (off_t)tacho_rings_file_bytes(p->ring_count, p->geometry.stride)))
		return -errno;
	n = pwrite(fd, &u, sizeof(u), 0);
	if (n < 0)
		return -errno;
	return n == sizeof(u) ? 0 : -ENOSPC;
}

int rings_create(int dir_fd, const char *name, const struct rings_parameters *p,
		 struct tacho_error *error)
{
	int fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int ret;

	if (fd < 0)
		return error_set(error, -errno, "cannot create the ring file '%s': %s", name,
				 strerror(errno));
	ret = write_header(fd, p);
	close(fd);
	if (ret) {
		unlinkat(dir_fd, name, 0);
		error_set(error, ret, "cannot write the ring file '%s': %s", name, strerror(-ret));
	}
	return ret;
}

static int read_header(int fd, struct tacho_rings *ret_header)
{
	struct stat st;
	ssize_t n = pread(fd, ret_header, sizeof(*ret_header), 0);

	if (n < 0 || fstat(fd, &st))
		return -errno;
	if (n != sizeof(*ret_header) || !tacho_rings_are_sane(ret_header, (uint64_t)st.st_size))
		return -EBADMSG;
	return 0;
}

static int map_rings(int fd, struct rings *r)
{
	struct tacho_rings h;
	int ret = read_header(fd, &h);

	if (ret)
		return ret;
	*r = (struct rings){
		.map_bytes = tacho_rings_file_bytes(h.ring_count, h.stride),
		.fd = fd,
		.ring_count = h.ring_count,
		.subbuf_count = h.subbuf_count,
		.subbuf_shift = h.subbuf_shift,
		.mode = h.mode,
		.clock_kind = h.clock_kind,
		.writer_kind = h.writer_kind,
		.stride = h.stride,
		.session_instance = h.session_instance,
	};
	r->map = mmap(NULL, r->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	return r->map == MAP_FAILED ? -errno : 0;
}

int rings_open(int dir_fd, const char *name, struct rings *ret_rings, struct tacho_error *error)
{
	int fd = file_open_linked_at(dir_fd, name, O_RDWR, 0); /* session/ring_place.h */
	int ret = fd < 0 ? fd : map_rings(fd, ret_rings);

	if (!ret)
		return 0;
	fd_close(fd);
	return error_set(error, ret, "cannot use the ring file '%s': %s", name,
			 ret == -EBADMSG ? "it is damaged, or of another version of tacho" :
					   strerror(-ret));
}

void rings_close(struct rings *rings)
{
	munmap(rings->map, rings->map_bytes);
	close(rings->fd);
	rings->map = NULL;
	rings->fd = -1;
}

static struct tacho_ring *control(const struct rings *rings, uint32_t cpu)
{
	return (struct tacho_ring *)((char *)rings->map + tacho_ring_at(cpu, rings->stride));
}

bool ring_is_allocated(const struct rings *rings, uint32_t cpu)
{
	return cpu < rings->ring_count &&
	       tacho_load_acquire(&rings->map->allocated[cpu / 64]) >> (cpu % 64) & 1;
}

int ring_allocate(struct rings *rings, uint32_t cpu)
{
	if (cpu >= rings->ring_count)
		return -EINVAL;
	if (ring_is_allocated(rings, cpu))
		return 0;
	while (fallocate(rings->fd, 0, (off_t)tacho_ring_at(cpu, rings->stride),
			 (off_t)rings->stride)) {
		if (errno != EINTR) /* a signal, on tmpfs */
			return -errno;
	}
	tacho_fetch_or_acq_rel(&rings->map->allocated[cpu / 64], 1ull << (cpu % 64));
	return 0;
}

void ring_wake(struct rings *rings, uint32_t cpu)
{
	struct tacho_ring *ring = control(rings, cpu);

	tacho_fetch_add_acq_rel(&ring->release_futex, 1);
	syscall(SYS_futex, &ring->release_futex, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

struct ring_range ring_range_kept(const struct rings *rings, uint32_t cpu)
{
	struct ring_range range = { 0 };
	struct tacho_ring *ring;
	uint64_t opened;

	if (!ring_is_allocated(rings, cpu))
		return range;
	ring = control(rings, cpu);
	/* read:A pairs with write:B and open:F */
	range.head = tacho_load_acquire(&ring->head);
	if (!range.head)
		return range;
	range.end = tacho_open_subbuf(range.head, rings->subbuf_shift) + 1;
	/* A head is never ahead of `opened`, but for one that someone else has written there. */
	opened = tacho_load_relaxed(&ring->opened);
	if (range.end > opened)
		range.end = opened;
	range.released = tacho_load_relaxed(&ring->released);
	range.oldest = opened > rings->subbuf_count ? opened - rings->subbuf_count : 0;
	if (range.oldest > range.end)
		range.oldest = range.end;
	return range;
}

struct ring_range ring_range(const struct rings *rings, uint32_t cpu)
{
	struct ring_range range = ring_range_kept(rings, cpu);

	if (rings->mode != TACHO_MODE_OVERWRITE && range.released > range.oldest)
		range.oldest = range.released < range.end ? range.released : range.end;
	return range;
}

/* Where the content of sub-buffer @number ends, from its start; 0 if what is said makes no sense. */
static uint64_t content_bytes(const struct rings *rings, uint64_t number, uint64_t end_position)
{
	uint64_t start = number << rings->subbuf_shift;

	if (end_position <= start || end_position - start > 1ull << rings->subbuf_shift)
		return 0;
	return end_position - start;
}

static void read_lost(const uint64_t *lost, uint64_t ret_lost[TACHO_LOST_REASONS])
{
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		ret_lost[i] = tacho_load_relaxed(&lost[i]);
}

static int view_closed(const struct rings *rings, const struct tacho_ring *ring,
		       struct ring_view *view)
{
	const struct tacho_subbuf *entry = &ring->subbuf[view->number % rings->subbuf_count];

	if (tacho_load_relaxed(&entry->subbuf_number) != view->number)
		return -EBADMSG;
	view->begin_ts = tacho_load_relaxed(&entry->begin_ts);
	view->end_ts = tacho_load_relaxed(&entry->end_ts);
	view->content_bytes =
		content_bytes(rings, view->number, tacho_load_relaxed(&entry->content_end));
	read_lost(entry->lost_before_close, view->lost);
	return view->content_bytes && view->begin_ts <= view->end_ts ? 0 : -EBADMSG;
}

static int view_open(const struct rings *rings, const struct tacho_ring *ring, uint64_t head,
		     struct ring_view *view)
{
	const struct tacho_subbuf *entry = &ring->subbuf[view->number % rings->subbuf_count];

	if (tacho_load_relaxed(&entry->subbuf_number) != view->number)
		return -EBADMSG;
	view->is_open = true;
	view->begin_ts = tacho_load_relaxed(&entry->begin_ts);
	view->end_ts = UINT64_MAX;
	view->content_bytes = content_bytes(rings, view->number, head);
	read_lost(ring->lost, view->lost);
	return view->content_bytes ? 0 : -EBADMSG;
}

static int view_in(const struct rings *rings, uint32_t cpu, const struct ring_range *range,
		   uint64_t number, struct ring_view *ret_view)
{
	struct tacho_ring *ring;
	int ret;

	if (number >= range->end)
		return -EAGAIN;
	if (number < range->oldest)
		return -ESTALE;
	ring = control(rings, cpu);
	*ret_view = (struct ring_view){
		.number = number,
		.content = (char *)ring +
			   tacho_subbuf_at(number, rings->subbuf_count, rings->subbuf_shift),
	};
	if (number + 1 == range->end)
		ret = view_open(rings, ring, range->head, ret_view);
	else
		ret = view_closed(rings, ring, ret_view);
	/* What makes no sense may be just what was overwritten meanwhile. */
	if (ret && !ring_view_is_intact(rings, cpu, ret_view))
		return -ESTALE;
	return ret;
}

int ring_view(const struct rings *rings, uint32_t cpu, uint64_t number, struct ring_view *ret_view)
{
	struct ring_range range = ring_range(rings, cpu);

	return view_in(rings, cpu, &range, number, ret_view);
}

int ring_view_kept(const struct rings *rings, uint32_t cpu, uint64_t number,
		   struct ring_view *ret_view)
{
	struct ring_range range = ring_range_kept(rings, cpu);

	return view_in(rings, cpu, &range, number, ret_view);
}

int ring_view_read(const struct rings *rings, uint32_t cpu, const struct ring_view *view,
		   uint64_t from, void *ret_content)
{
	uint64_t at = tacho_ring_at(cpu, rings->stride) +
		      tacho_subbuf_at(view->number, rings->subbuf_count, rings->subbuf_shift);
	int ret = fd_read_at(rings->fd, (char *)ret_content + from, view->content_bytes - from,
			     at + from);

	return ret == -EBADMSG ? -EFAULT : ret;
}

bool ring_view_is_intact(const struct rings *rings, uint32_t cpu, const struct ring_view *view)
{
	/* read:C pairs with open:B */
	tacho_fence_acquire();
	return tacho_load_relaxed(&control(rings, cpu)->opened) <=
	       view->number + rings->subbuf_count;
}

void ring_release(struct rings *rings, uint32_t cpu, uint64_t end)
{
	/* read:E pairs with switch:A: the copy before the reuse */
	tacho_store_release(&control(rings, cpu)->released, end);
}

void ring_lost(const struct rings *rings, uint32_t cpu, uint64_t ret_lost[TACHO_LOST_REASONS])
{
	if (ring_is_allocated(rings, cpu))
		read_lost(control(rings, cpu)->lost, ret_lost);
	else
		memset(ret_lost, 0, TACHO_LOST_REASONS * sizeof(ret_lost[0]));
}

void rings_lost_unattributed(const struct rings *rings, uint64_t ret_lost[TACHO_LOST_REASONS])
{
	read_lost(rings->map->unattributed, ret_lost);
}
