/* SPDX-License-Identifier: MIT */
/* pages.c - see pages.h */
#include "session/kernel/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define PAGE_AT           4096u
#define KERNEL_SLOT_BYTES (PAGE_AT + KERNEL_PAGE_BYTES_MAX)
#define NO_HEAD           UINT64_MAX

int kernel_pages_create(int dir_fd, const char *name, uint32_t count)
{
	int fd, ret;

	unlinkat(dir_fd, name, 0); /* of a tool that was killed */
	fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	ret = fd < 0 || ftruncate(fd, (off_t)count * KERNEL_SLOT_BYTES) ? -errno : 0;
	fd_close(fd);
	return ret;
}

static int allocate(int fd, const struct rings *rings)
{
	int ret = 0;

	for (uint32_t cpu = 0; !ret && cpu < rings->ring_count; cpu++)
		if (ring_is_allocated(rings, cpu) &&
		    fallocate(fd, 0, (off_t)cpu * KERNEL_SLOT_BYTES, KERNEL_SLOT_BYTES))
			ret = -errno;
	return ret;
}

static int map_file(int fd, const struct rings *rings, struct kernel_pages *pages)
{
	struct stat st;

	pages->count = rings->ring_count;
	pages->bytes = (uint64_t)pages->count * KERNEL_SLOT_BYTES;
	if (fstat(fd, &st))
		return -errno;
	if ((uint64_t)st.st_size < pages->bytes)
		return -EBADMSG;
	pages->map = mmap(NULL, pages->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
			  0);
	return pages->map == MAP_FAILED ? -errno : 0;
}

int kernel_pages_open(int dir_fd, const char *name, const struct rings *rings,
		      struct kernel_pages *ret_pages)
{
	int fd = file_open_at(dir_fd, name, O_RDWR, 0);
	int ret = fd < 0 ? fd : allocate(fd, rings);

	if (!ret)
		ret = map_file(fd, rings, ret_pages);
	fd_close(fd);
	return ret;
}

void kernel_pages_close(struct kernel_pages *pages)
{
	munmap(pages->map, pages->bytes);
}

static struct kernel_slot *slot_of(const struct kernel_pages *pages, uint32_t cpu)
{
	return (struct kernel_slot *)(pages->map + (uint64_t)cpu * KERNEL_SLOT_BYTES);
}

static uint8_t *page_of(const struct kernel_pages *pages, uint32_t cpu)
{
	return (uint8_t *)slot_of(pages, cpu) + PAGE_AT;
}

static uint64_t *commit_of(const struct kernel_pages *pages, uint32_t cpu)
{
	return (uint64_t *)(void *)(page_of(pages, cpu) + KERNEL_PAGE_COMMIT_AT);
}

void kernel_slot_end(const struct kernel_pages *pages, uint32_t cpu)
{
	tacho_store_release(commit_of(pages, cpu), 0);
}

static int read_page(const struct kernel_pages *pages, uint32_t cpu, int pages_fd)
{
	struct kernel_slot *slot = slot_of(pages, cpu);
	ssize_t bytes;

	tacho_store_relaxed(&slot->done, 0);
	tacho_store_relaxed(&slot->next_head, NO_HEAD);
	kernel_slot_end(pages, cpu);
	bytes = read(pages_fd, page_of(pages, cpu), KERNEL_PAGE_BYTES_MAX);
	if (bytes > 0)
		return 0;
	return bytes ? -errno : -EAGAIN;
}

/* Events that were put already. */
static void pass(struct kernel_page *page, uint32_t done)
{
	struct kernel_record record;

	while (page->at < done && kernel_page_next(page, &record))
		;
}

int kernel_slot_take(const struct kernel_pages *pages, uint32_t cpu, const struct ring_batch *batch,
		     int pages_fd, struct kernel_page *ret_page)
{
	struct kernel_slot *slot = slot_of(pages, cpu);
	bool is_left = tacho_load_acquire(commit_of(pages, cpu));
	int ret = 0;

	if (!is_left)
		ret = read_page(pages, cpu, pages_fd);
	else if (slot->next_head == batch->head)
		slot->done = slot->next_done;
	if (ret)
		return ret;
	if (kernel_page_open(ret_page, page_of(pages, cpu), KERNEL_PAGE_BYTES_MAX))
		pass(ret_page, slot->done);
	return 0;
}

void kernel_slot_put(const struct kernel_pages *pages, uint32_t cpu, struct ring_batch *batch,
		     uint32_t done)
{
	struct kernel_slot *slot = slot_of(pages, cpu);

	/* put:A */
	tacho_store_relaxed(&slot->next_head, NO_HEAD);
	tacho_store_release(&slot->next_done, done);
	tacho_store_release(&slot->next_head, batch->position);
	ring_batch_publish(batch); /* release: put:A before put:B */
	tacho_store_release(&slot->done, done); /* put:C after put:B */
}
