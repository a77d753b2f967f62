/* SPDX-License-Identifier: MIT */
/* paths.c - see paths.h */
#include "kernel/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where FOLLOW puts what it loads: it is used by the operation behind it, and then free again. */
#define LOADED_WORD TACHO_ARGUMENTS_MAX
#define NAME_BYTES  64

struct event_paths {
	const char *system;
	const char *events; /* " one two " */
	const char *paths;  /* " field=path field=path " */
};

static const struct event_paths known[] = {
	{ "sched", " sched_switch ",
	  " prev_comm=prev->comm prev_pid=prev->pid prev_prio=prev->prio"
	  " prev_state=prev_state!preempt:256"
	  " next_comm=next->comm next_pid=next->pid next_prio=next->prio " },
	{ "sched", " sched_waking sched_wakeup sched_wakeup_new ",
	  " comm=p->comm pid=p->pid prio=p->prio target_cpu=p->thread_info.cpu " },
	{ "sched", " sched_migrate_task ",
	  " comm=p->comm pid=p->pid prio=p->prio orig_cpu=p->thread_info.cpu " },
	{ "sched", " sched_process_exit sched_process_free sched_wait_task ",
	  " comm=p->comm pid=p->pid prio=p->prio " },
	{ "sched", " sched_process_fork ",
	  " parent_comm=parent->comm parent_pid=parent->pid"
	  " child_comm=child->comm child_pid=child->pid " },
	{ "sched", " sched_process_exec ", " filename=bprm->filename pid=p->pid " },
	{ "sched",
	  " sched_stat_runtime sched_stat_wait sched_stat_sleep sched_stat_iowait sched_stat_blocked ",
	  " comm=tsk->comm pid=tsk->pid " },
	{ "sched", " sched_process_hang ", " comm=tsk->comm pid=tsk->pid " },
	{ "task", " task_newtask ",
	  " pid=task->pid comm=task->comm oom_score_adj=task->signal->oom_score_adj " },
	{ "irq", " irq_handler_entry ", " name=action->name " },
	{ "irq", " softirq_entry softirq_exit softirq_raise ", " vec=vec_nr " },
	{ "timer", " hrtimer_start ",
	  " function=hrtimer->function expires=hrtimer->node.expires"
	  " softexpires=hrtimer->_softexpires " },
	{ "timer", " hrtimer_expire_entry ", " function=hrtimer->function now=*now " },
	{ "workqueue", " workqueue_execute_start ", " function=work->func " },
	{ "net", " netif_receive_skb netif_rx net_dev_queue ",
	  " skbaddr=skb len=skb->len name=skb->dev->name " },
	{ "net", " net_dev_xmit ", " skbaddr=skb len=skb_len name=dev->name " },
	{ "skb", " consume_skb ", " skbaddr=skb " },
	{ "napi", " napi_poll ", " dev_name=napi->dev->name " },
};

/* Behind " @name" and @behind in a list; NULL: it is not there. */
static const char *find_in(const char *list, const char *name, char behind)
{
	size_t length = strlen(name);

	for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
		if (at[-1] == ' ' && at[length] == behind)
			return at + length + 1;
	return NULL;
}

const char *kernel_path_find(const char *system, const char *event, const char *field)
{
	for (size_t i = 0; *event && *field && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].system, system) && find_in(known[i].events, event, ' '))
			return find_in(known[i].paths, field, '=');
	return NULL;
}

/* ---- following one ---- */

/* A name, at whose end @path is then. */
static bool take_name(const char **path, char name[NAME_BYTES])
{
	size_t length = strcspn(*path, " -.*!:");

	if (!length || length >= NAME_BYTES)
		return false;
	memcpy(name, *path, length);
	name[length] = 0;
	*path += length;
	return true;
}

static int find_argument(const struct kernel_prototype *prototype, const char *name)
{
	for (uint32_t i = 0; i < prototype->count; i++)
		if (!strcmp(prototype->argument[i].name, name))
			return (int)i;
	return -ENOENT;
}

/* From a pointer to what it points to. */
static int dereference(const struct kernel_prototype *prototype, struct kernel_place_of *place)
{
	uint32_t target = kernel_type_target(prototype->btf, place->type);

	if (!target || place->offset > UINT16_MAX || place->follow_count == 4)
		return -ENOENT;
	if (place->is_memory) {
		place->follow[place->follow_count++] = (struct tacho_fetch){
			.kind = TACHO_FETCH_FOLLOW,
			.word = (uint8_t)place->word,
			.offset = (uint16_t)place->offset,
			.second_offset = LOADED_WORD,
		};
		place->word = LOADED_WORD;
	}
	place->is_memory = true;
	place->offset = 0;
	place->type = target;
	return 0;
}

static int take_member(const struct kernel_prototype *prototype, const char **path,
		       struct kernel_place_of *place)
{
	char name[NAME_BYTES];
	uint32_t offset;

	if (!take_name(path, name) || !place->is_memory ||
	    kernel_type_member(prototype->btf, place->type, name, &offset, &place->type))
		return -ENOENT;
	place->offset += offset;
	return 0;
}

static int take_unless(const struct kernel_prototype *prototype, const char *path,
		       struct kernel_place_of *place)
{
	char name[NAME_BYTES];
	int word = take_name(&path, name) ? find_argument(prototype, name) : -ENOENT;

	if (word < 0 || *path != ':' || place->is_memory)
		return -ENOENT;
	place->has_unless = true;
	place->unless_word = (uint32_t)word;
	place->unless_value = (uint32_t)strtoul(path + 1, NULL, 10);
	return 0;
}

static int take_step(const struct kernel_prototype *prototype, const char **path,
		     struct kernel_place_of *place)
{
	int ret = 0;

	if (!strncmp(*path, "->", 2)) {
		*path += 2;
		ret = dereference(prototype, place);
	} else if (**path == '.') {
		*path += 1;
	} else {
		return -ENOENT;
	}
	return ret ? ret : take_member(prototype, path, place);
}

int kernel_path_resolve(const struct kernel_prototype *prototype, const char *path,
			struct kernel_place_of *ret_place)
{
	struct kernel_place_of place = { 0 };
	bool is_target = *path == '*';
	char name[NAME_BYTES];
	int word, ret = 0;

	path += is_target;
	word = take_name(&path, name) ? find_argument(prototype, name) : -ENOENT;
	if (word < 0)
		return word;
	place.word = (uint32_t)word;
	place.type = prototype->argument[word].type;
	if (is_target)
		ret = dereference(prototype, &place);
	while (!ret && *path && *path != ' ' && *path != '!')
		ret = take_step(prototype, &path, &place);
	if (!ret && *path == '!')
		ret = take_unless(prototype, path + 1, &place);
	*ret_place = place;
	return ret;
}
