/* SPDX-License-Identifier: MIT */
/* drain_doze.c - see drain_doze.h */
#include "session/drain/drain_doze.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "session/rules/triggers.h"

/* Who records a little now and then is looked at some 40 times a second, who records nothing 5
 * times. A sub-buffer that is completed does not wait for that. */
#define REST_FIRST_NS 25000000ull
#define REST_MAX_NS   200000000ull

/* Where nobody wakes it: a ring of 4 MiB takes a writer at full speed 7 ms to fill. */
#define HURRY_FIRST_NS  1000000ull
#define HURRY_MEDIUM_NS 4000000ull
#define HURRY_MAX_NS    10000000ull

void doze_init(struct doze *doze, const struct session *session)
{
	*doze = (struct doze){ .page = triggers_map(session) };
}

void doze_fini(struct doze *doze)
{
	triggers_unmap(doze->page);
	doze->page = NULL;
}

static bool is_in_a_hurry(struct doze *doze, uint64_t now_ns)
{
	if (!doze->page)
		return true;
	if (tacho_load_relaxed(&doze->page->drain_uncalled)) {
		tacho_store_relaxed(&doze->page->drain_uncalled, 0);
		doze->hurry_until_ns = now_ns + DOZE_HURRY_NS;
	}
	return now_ns < doze->hurry_until_ns;
}

/* Soon, then ever more seldom: the next burst is likely to be near the last one. */
static uint64_t next_hurried(uint64_t period_ns)
{
	if (!period_ns)
		return HURRY_FIRST_NS;
	period_ns += period_ns < HURRY_MEDIUM_NS ? period_ns : period_ns / 64;
	return period_ns < HURRY_MAX_NS ? period_ns : HURRY_MAX_NS;
}

static uint64_t next_rested(uint64_t period_ns, bool moved)
{
	if (moved || period_ns < REST_FIRST_NS)
		return REST_FIRST_NS;
	return period_ns * 2 < REST_MAX_NS ? period_ns * 2 : REST_MAX_NS;
}

uint64_t doze_choose(struct doze *doze, int finished, bool moved, uint64_t now_ns)
{
	if (finished)
		doze->period_ns = 0;
	else if (is_in_a_hurry(doze, now_ns))
		doze->period_ns = next_hurried(doze->period_ns);
	else
		doze->period_ns = next_rested(doze->period_ns, moved);
	return doze->period_ns;
}

void doze_sleep(struct doze *doze, uint64_t ns, bool (*has_news)(const void *arg), const void *arg)
{
	struct timespec period = {
		.tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000),
	};
	uint32_t *word;

	if (!doze->page || !has_news) {
		nanosleep(&period, NULL);
		return;
	}
	word = &doze->page->drain_sleeps;
	tacho_store_relaxed(word, 1); /* doze:A */
	tacho_fence_full();           /* doze:B pairs with call:B */
	if (!has_news(arg))           /* doze:C */
		syscall(SYS_futex, word, FUTEX_WAIT, 1, &period, NULL, 0); /* doze:D */
	tacho_store_relaxed(word, 0);
}

void doze_wake(const struct session *session)
{
	struct tacho_triggers *page = triggers_map(session);

	if (!page)
		return;
	tacho_fence_full(); /* call:B pairs with doze:B */
	if (tacho_load_relaxed(&page->drain_sleeps) &&
	    tacho_exchange_acq_rel(&page->drain_sleeps, 0)) /* call:C */
		syscall(SYS_futex, &page->drain_sleeps, FUTEX_WAKE, 1, NULL, NULL, 0);
	triggers_unmap(page);
}
