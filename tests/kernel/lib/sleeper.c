/* SPDX-License-Identifier: MIT */
/* sleeper.c - see sleeper.h */
#include "sleeper.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES  4096
#define SLEEP_NS    100000000
#define WORD_OFFSET 68 /* within the page */

static void *tell(void *data)
{
	struct sleeper *s = data;
	uint64_t times;

	while (read(s->event_fd, &times, sizeof(times)) == sizeof(times)) {
		if (__atomic_load_n(&s->is_over, __ATOMIC_ACQUIRE))
			break;
		__atomic_add_fetch(&s->told, 1, __ATOMIC_RELAXED);
		syscall(SYS_futex, s->word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	return NULL;
}

static int say(struct ring_file *file, const uint32_t *word, int event_fd)
{
	struct tacho_module_bell call = {
		.name = file->name,
		.word_address = (uintptr_t)word,
		.event_fd = event_fd,
	};

	return ioctl(file->module_fd, TACHO_MODULE_BELL, &call) ? -errno : 0;
}

int sleeper_hang(struct sleeper *s, struct ring_file *file)
{
	return say(file, s->word, s->event_fd);
}

int sleeper_take_down(struct ring_file *file)
{
	return say(file, NULL, -1);
}

int sleeper_init(struct sleeper *s, struct ring_file *file)
{
	char *page =
		mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*s = (struct sleeper){ .word = (uint32_t *)(page + WORD_OFFSET),
			       .event_fd = eventfd(0, EFD_CLOEXEC) };
	if (page == MAP_FAILED || s->event_fd < 0 || pthread_create(&s->teller, NULL, tell, s))
		return -errno;
	/* What makes no sense is refused, and changes nothing. */
	if (say(file, (uint32_t *)(page + 2), s->event_fd) != -EINVAL ||
	    say(file, (uint32_t *)PAGE_BYTES, s->event_fd) != -EFAULT ||
	    say(file, s->word, file->module_fd) != -EINVAL || say(file, s->word, 1000) != -EBADF)
		return -EPROTO;
	return sleeper_hang(s, file);
}

void sleeper_fini(struct sleeper *s)
{
	const uint64_t one = 1;

	__atomic_store_n(&s->is_over, true, __ATOMIC_RELEASE);
	if (write(s->event_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(s->teller, NULL);
	close(s->event_fd);
	munmap((char *)s->word - WORD_OFFSET, PAGE_BYTES);
}

/* Of the ring that has most. */
static uint64_t complete_subbufs(struct ring_file *file)
{
	uint64_t most = 0;

	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		struct ring_range range = ring_range(&file->rings, cpu);
		uint64_t complete = range.end > range.oldest ? range.end - range.oldest - 1 : 0;

		most = complete > most ? complete : most;
	}
	return most;
}

bool sleeper_sleep(struct sleeper *s, struct ring_file *file)
{
	const struct timespec period = { .tv_nsec = SLEEP_NS };
	bool is_forgotten = false;

	__atomic_store_n(s->word, 1, __ATOMIC_RELAXED); /* doze:A */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);        /* doze:B */
	if (!complete_subbufs(file)) {                  /* doze:C */
		syscall(SYS_futex, s->word, FUTEX_WAIT, 1, &period, NULL, 0);
		/* Who opened the sub-buffer behind the second one saw the word before. */
		is_forgotten =
			complete_subbufs(file) >= 2 && __atomic_load_n(s->word, __ATOMIC_ACQUIRE);
	}
	__atomic_store_n(s->word, 0, __ATOMIC_RELAXED);
	return !is_forgotten;
}

uint64_t sleeper_told(struct sleeper *s)
{
	return __atomic_load_n(&s->told, __ATOMIC_RELAXED);
}
