/* SPDX-License-Identifier: MIT */
/*
 * libs_known.c - see libs_known.h
 *
 * WHO LOOKS. A word says whether somebody does, and how often it was asked for:
 *
 *      requests   | times that a look was asked for ... | BUSY |
 *
 *      known_refresh()  adds a request and BUSY; who finds no BUSY looks
 *      having looked    takes BUSY away if no request was added; else looks again
 *
 * Only who looks writes to the table, so it needs no lock, and a thread that is in dl_iterate_phdr()
 * itself waits for nobody who waits for it.
 *
 * FORK. The child has the table as it was at that moment, perhaps in the middle of a look. An entry
 * is complete before is_loaded is set, and the child trusts only those.
 */
#include "libs_known.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "format/port.h"
#include "libs_image.h"
#include "tacho/event.h"

#define KNOWN_MAX     1024 /* what comes beyond them is not recorded */
#define BUSY          1u
#define REQUEST       2u
#define PROCNAME_SIZE 16

struct known {
	uint64_t is_loaded;
	uint64_t look; /* in which it was last seen */
	struct image image;
};

/* Most of it is never touched, and takes no memory. */
static struct known table[KNOWN_MAX];
static uint32_t used_count;
static uint64_t look;
static bool is_dumped;
static uint32_t dump_wanted; /* once more: there is a session that does not know it */
static uint64_t requests;

static void record_procname(void)
{
	char name[PROCNAME_SIZE] = "";

	prctl(PR_GET_NAME, name);
	tacho_event(lttng_ust_statedump, procname, "procname", name);
}

static void record_state(const struct image *image)
{
	uint8_t has_build_id = image->build_id_bytes > 0;

	tacho_event(lttng_ust_statedump, bin_info, "baddr", (void *)image->base, "memsz",
		    image->bytes, "path", image->path, "is_pic", (uint8_t)image->is_pic,
		    "has_build_id", has_build_id, "has_debug_link", (uint8_t)0);
	if (has_build_id)
		tacho_event(lttng_ust_statedump, build_id, "baddr", (void *)image->base, "build_id",
			    tacho_bytes(image->build_id, image->build_id_bytes));
}

static void record_load(const struct image *image)
{
	uint8_t has_build_id = image->build_id_bytes > 0;

	tacho_event(lttng_ust_lib, load, "baddr", (void *)image->base, "memsz", image->bytes,
		    "path", image->path, "has_build_id", has_build_id, "has_debug_link",
		    (uint8_t)0);
	if (has_build_id)
		tacho_event(lttng_ust_lib, build_id, "baddr", (void *)image->base, "build_id",
			    tacho_bytes(image->build_id, image->build_id_bytes));
}

static void record_unload(const struct image *image)
{
	tacho_event(lttng_ust_lib, unload, "baddr", (void *)image->base);
}

static struct known *find(const struct image *image)
{
	for (uint32_t i = 0; i < used_count; i++)
		if (table[i].is_loaded && image_is(&table[i].image, image))
			return &table[i];
	return NULL;
}

static struct known *free_entry(void)
{
	for (uint32_t i = 0; i < used_count; i++)
		if (!table[i].is_loaded)
			return &table[i];
	return used_count < KNOWN_MAX ? &table[used_count++] : NULL;
}

/* What @image leaves open is not copied: most of it is room for the path. */
static void fill(struct known *entry, const struct image *image, const char *name)
{
	entry->image.base = image->base;
	entry->image.bytes = image->bytes;
	entry->image.is_pic = image->is_pic;
	entry->image.name_hash = image->name_hash;
	entry->image.build_id_bytes = image->build_id_bytes;
	__builtin_memcpy(entry->image.build_id, image->build_id, image->build_id_bytes);
	image_find_path(name, &entry->image);
	tacho_store_release(&entry->is_loaded, (uint64_t)1);
}

static void forget(struct known *entry)
{
	tacho_store_release(&entry->is_loaded, (uint64_t)0);
	record_unload(&entry->image);
}

static bool overlap(const struct image *a, const struct image *b)
{
	return a->base < b->base + b->bytes && b->base < a->base + a->bytes;
}

/* Whose place another has taken is gone: its unload is recorded before the other's load. */
static void forget_overlapped(const struct image *image)
{
	for (uint32_t i = 0; i < used_count; i++)
		if (table[i].is_loaded && overlap(&table[i].image, image))
			forget(&table[i]);
}

static struct known *appear(const struct image *image, const char *name)
{
	struct known *entry;

	forget_overlapped(image);
	entry = free_entry();
	if (!entry)
		return NULL;
	fill(entry, image, name);
	if (is_dumped)
		record_load(&entry->image);
	return entry;
}

static int see(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct known *entry;
	struct image image;

	(void)size;
	(void)arg;
	image_describe(info, &image);
	entry = find(&image);
	if (!entry)
		entry = appear(&image, info->dlpi_name);
	if (entry)
		entry->look = look;
	return 0;
}

static void forget_the_gone(void)
{
	for (uint32_t i = 0; i < used_count; i++)
		if (table[i].is_loaded && table[i].look != look)
			forget(&table[i]);
}

static void dump(void)
{
	tacho_event(lttng_ust_statedump, start);
	record_procname();
	for (uint32_t i = 0; i < used_count; i++)
		if (tacho_load_acquire(&table[i].is_loaded))
			record_state(&table[i].image);
	tacho_event(lttng_ust_statedump, end);
	is_dumped = true;
}

static void look_once(void)
{
	look++;
	dl_iterate_phdr(see, NULL);
	forget_the_gone();
	if (tacho_exchange_acq_rel(&dump_wanted, 0) || !is_dumped)
		dump();
}

/* Return: true if it is for this thread to look. */
static bool request(uint64_t *ret_requests)
{
	uint64_t before = tacho_load_relaxed(&requests);
	uint64_t after;

	do
		after = (before + REQUEST) | BUSY;
	while (!tacho_cmpxchg_acq_rel(&requests, &before, after));
	*ret_requests = after;
	return !(before & BUSY);
}

void known_refresh(void)
{
	int saved = errno;
	uint64_t seen;

	if (!request(&seen))
		return;
	do
		look_once();
	while (!tacho_cmpxchg_acq_rel(&requests, &seen, seen & ~(uint64_t)BUSY));
	errno = saved;
}

/* Without a look at what is loaded, since that may have to wait for another thread. */
void known_dump(void)
{
	int saved = errno;
	uint64_t seen;

	if (!is_dumped)
		return;
	tacho_store_relaxed(&dump_wanted, 1);
	if (!request(&seen))
		return;
	if (tacho_exchange_acq_rel(&dump_wanted, 0))
		dump();
	while (!tacho_cmpxchg_acq_rel(&requests, &seen, seen & ~(uint64_t)BUSY))
		look_once();
	errno = saved;
}

void known_after_fork(void)
{
	int saved = errno;

	tacho_store_relaxed(&requests, (uint64_t)0);
	if (is_dumped)
		dump();
	errno = saved;
}
