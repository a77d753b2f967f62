// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* tracepoints.c - see tracepoints.h */
#include "tracepoints.h"

#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

struct known_module {
	struct list_head node;
	struct module *module;
};

struct search {
	const char *name;
	struct tracepoint *found;
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(known_modules);
static void (*tell_leaving)(const struct module *module);

void tracepoints_lock(void)
{
	mutex_lock(&lock);
}

void tracepoints_unlock(void)
{
	mutex_unlock(&lock);
}

static void look_at(struct tracepoint *tracepoint, void *data)
{
	struct search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static void look_in(const struct module *module, struct search *search)
{
	for (unsigned int i = 0; i < module->num_tracepoints; i++)
		look_at(tracepoint_ptr_deref(&module->tracepoints_ptrs[i]), search);
}

struct tracepoint *tracepoints_find(const char *name)
{
	struct search search = { .name = name };
	struct known_module *known;

	for_each_kernel_tracepoint(look_at, &search);
	list_for_each_entry(known, &known_modules, node) look_in(known->module, &search);
	return search.found;
}

/* Without memory, the module's tracepoints are not found: no more. */
static void learn(struct module *module)
{
	struct known_module *known = kmalloc(sizeof(*known), GFP_KERNEL);

	if (!known)
		return;
	known->module = module;
	list_add(&known->node, &known_modules);
}

static void forget(const struct module *module)
{
	struct known_module *known, *next;

	list_for_each_entry_safe(known, next, &known_modules, node)
	{
		if (known->module != module)
			continue;
		if (tell_leaving)
			tell_leaving(module);
		list_del(&known->node);
		kfree(known);
	}
}

static int module_changes(struct notifier_block *block, unsigned long what, void *data)
{
	struct tp_module *change = data;

	mutex_lock(&lock);
	if (what == MODULE_STATE_COMING)
		learn(change->mod);
	else if (what == MODULE_STATE_GOING)
		forget(change->mod);
	mutex_unlock(&lock);
	return NOTIFY_OK;
}

static struct notifier_block block = { .notifier_call = module_changes };

int tracepoints_init(void (*leaving)(const struct module *module))
{
	tell_leaving = leaving;
	return register_tracepoint_module_notifier(&block);
}

/* The kernel calls back for each module there is as if it went. */
void tracepoints_fini(void)
{
	tell_leaving = NULL;
	unregister_tracepoint_module_notifier(&block);
}
