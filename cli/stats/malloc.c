/* SPDX-License-Identifier: MIT */
/* malloc.c - see malloc.h */
#include "malloc.h"

#include <stdlib.h>
#include <string.h>

#include "cli/view/filter.h"

struct block_key {
	uint64_t address;
	uint64_t pid;
};

struct site_key {
	uint64_t caller;
	uint64_t pid;
};

struct block {
	struct stats_site *site; /* NULL: there was no room for it */
	uint64_t bytes;
};

void stats_malloc_init(struct stats_malloc *heap)
{
	*heap = (struct stats_malloc){
		.blocks = view_map_new(sizeof(struct block), STATS_BLOCKS_MAX),
		.sites = view_map_new(sizeof(struct stats_site), STATS_SITES_MAX),
		.sizes = stats_values_new(),
	};
}

static void free_symbols(struct stats_malloc *heap)
{
	struct view_map_entry *entries = heap->symbols ? stats_malloc_by_bytes(heap) : NULL;

	for (size_t i = 0; entries && i < view_map_count(heap->sites); i++)
		free(((struct stats_site *)entries[i].value)->symbol);
	free(entries);
}

void stats_malloc_fini(struct stats_malloc *heap)
{
	free_symbols(heap);
	view_map_free(heap->blocks);
	view_map_free(heap->sites);
	stats_values_free(heap->sizes);
}

/* A field that is not there, or no number, is 0. */
static uint64_t field_of(const struct ctf_event *event, const char *name)
{
	const struct ctf_value *value = view_field(event, name, strlen(name));
	bool is_number =
		value && (value->kind == CTF_VALUE_UNSIGNED || value->kind == CTF_VALUE_SIGNED);

	return is_number ? value->u : 0;
}

/* ---- blocks ---- */

static void release(struct stats_malloc *heap, uint32_t pid, uint64_t address)
{
	const struct block_key key = { address, pid };
	struct block *block;

	if (!address)
		return;
	heap->frees++;
	block = view_map_find(heap->blocks, &key, sizeof(key));
	if (!block) {
		heap->frees_alone++;
		return;
	}
	heap->live_blocks--;
	heap->live_bytes -= block->bytes;
	if (block->site) {
		block->site->live_blocks--;
		block->site->live_bytes -= block->bytes;
	}
	view_map_remove(heap->blocks, &key, sizeof(key));
}

static void name_site(struct stats_malloc *heap, const struct stats_malloc_call *call,
		      struct stats_site *site)
{
	struct symbol symbol;

	if (heap->symbols && !site->symbol &&
	    view_symbols_at(heap->symbols, call->process, call->time_ns, site->caller, true,
			    &symbol))
		site->symbol = view_symbol_text(&symbol);
}

static struct stats_site *site_of(struct stats_malloc *heap, const struct stats_malloc_call *call)
{
	const struct site_key key = { call->caller, call->process.pid };
	struct stats_site *site = view_map_get(heap->sites, &key, sizeof(key));

	if (site) {
		site->caller = key.caller;
		site->pid = call->process.pid;
		name_site(heap, call, site);
	}
	return site;
}

static void keep_live(struct stats_malloc *heap, const struct stats_malloc_call *call,
		      struct stats_site *site)
{
	const struct block_key key = { call->address, call->process.pid };
	struct block *block = view_map_get(heap->blocks, &key, sizeof(key));

	if (!block || !site)
		heap->left_out++;
	if (!block)
		return;
	*block = (struct block){ site, call->bytes };
	heap->live_blocks++;
	heap->live_bytes += call->bytes;
	if (heap->live_bytes > heap->peak_bytes)
		heap->peak_bytes = heap->live_bytes;
	if (site) {
		site->live_blocks++;
		site->live_bytes += call->bytes;
	}
}

/* An address that is live was freed without an event: lost, or moved by realloc() meanwhile. */
static void forget(struct stats_malloc *heap, const struct stats_malloc_call *call)
{
	const struct block_key key = { call->address, call->process.pid };

	if (!view_map_find(heap->blocks, &key, sizeof(key)))
		return;
	release(heap, call->process.pid, call->address);
	heap->frees--;
}

static void allocate(struct stats_malloc *heap, const struct stats_malloc_call *call)
{
	struct stats_site *site;

	heap->calls++;
	if (!call->address) {
		heap->failures++;
		return;
	}
	heap->bytes += call->bytes;
	stats_values_add(heap->sizes, (double)call->bytes);
	site = site_of(heap, call);
	if (site) {
		site->calls++;
		site->bytes += call->bytes;
	}
	forget(heap, call);
	keep_live(heap, call, site);
}

/* One that fails leaves the block; with a size of 0 it frees it. */
static void reallocate(struct stats_malloc *heap, const struct stats_malloc_call *call)
{
	if (call->address || !call->bytes)
		release(heap, call->process.pid, call->old);
	if (call->address || call->bytes || !call->old)
		allocate(heap, call);
}

void stats_malloc_put(struct stats_malloc *heap, const struct stats_malloc_call *call)
{
	switch (call->kind) {
	case STATS_MALLOC:
		allocate(heap, call);
		break;
	case STATS_REALLOC:
		reallocate(heap, call);
		break;
	case STATS_FREE:
		release(heap, call->process.pid, call->old);
		break;
	}
}

/* ---- calls ---- */

static bool is_allocation(const char *name)
{
	static const char *const names[] = { "malloc",        "calloc",         "memalign",
					     "aligned_alloc", "posix_memalign", "valloc",
					     "pvalloc" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

static uint64_t size_of(const struct ctf_event *event)
{
	uint64_t bytes = field_of(event, "size");

	return strcmp(event->base_name, "calloc") ? bytes : field_of(event, "nmemb") * bytes;
}

static void take_old(const struct ctf_event *event, const char *field, int kind,
		     struct stats_malloc_call *call)
{
	call->kind = kind;
	call->old = field_of(event, field);
}

bool stats_malloc_take(const struct stats_malloc *heap, const struct ctf_item *item,
		       struct stats_malloc_call *ret_call)
{
	const struct ctf_event *event = &item->event;
	const char *name = event->base_name;

	if (strcmp(event->provider, "malloc"))
		return false;
	*ret_call =
		(struct stats_malloc_call){ .process.pid = event->pid, .time_ns = item->time_ns };
	if (!strcmp(name, "free"))
		take_old(event, "ptr", STATS_FREE, ret_call);
	else if (!strcmp(name, "realloc"))
		take_old(event, "in_ptr", STATS_REALLOC, ret_call);
	else if (!is_allocation(name))
		return false;
	if (ret_call->kind == STATS_FREE)
		return true;
	ret_call->address = field_of(event, "ptr");
	ret_call->bytes = size_of(event);
	ret_call->caller = field_of(event, "caller");
	if (heap->symbols)
		ret_call->process = view_symbols_process(heap->symbols, event);
	return true;
}

/* ---- sites ---- */

static int by_address(const struct stats_site *x, const struct stats_site *y)
{
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->caller > y->caller) - (x->caller < y->caller);
}

static int compare_bytes(const void *a, const void *b)
{
	const struct stats_site *x = ((const struct view_map_entry *)a)->value;
	const struct stats_site *y = ((const struct view_map_entry *)b)->value;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return by_address(x, y);
}

static int compare_live(const void *a, const void *b)
{
	const struct stats_site *x = ((const struct view_map_entry *)a)->value;
	const struct stats_site *y = ((const struct view_map_entry *)b)->value;

	if (x->live_bytes != y->live_bytes)
		return x->live_bytes < y->live_bytes ? 1 : -1;
	return by_address(x, y);
}

struct view_map_entry *stats_malloc_by_bytes(const struct stats_malloc *heap)
{
	return view_map_sorted(heap->sites, compare_bytes);
}

struct view_map_entry *stats_malloc_by_live_bytes(const struct stats_malloc *heap)
{
	return view_map_sorted(heap->sites, compare_live);
}
