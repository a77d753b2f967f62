/* SPDX-License-Identifier: MIT */
/* firing.c - see firing.h */
#include "firing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETERS "/sys/module/tacho_fire/parameters/"

static void *run(void *data)
{
	struct firing *firing = data;
	FILE *file = fopen(PARAMETERS "run_ms", "w");

	if (file) {
		fprintf(file, "%u\n", firing->milliseconds);
		fclose(file);
	}
	__atomic_store_n(&firing->is_over, true, __ATOMIC_RELEASE);
	return NULL;
}

bool firing_start(struct firing *firing, unsigned int milliseconds)
{
	*firing = (struct firing){ .milliseconds = milliseconds };
	return !pthread_create(&firing->thread, NULL, run, firing);
}

bool firing_is_over(struct firing *firing)
{
	return __atomic_load_n(&firing->is_over, __ATOMIC_ACQUIRE);
}

void firing_join(struct firing *firing)
{
	pthread_join(firing->thread, NULL);
}

bool firing_count(struct fired *ret_fired)
{
	FILE *file = fopen(PARAMETERS "fired", "r");
	unsigned long long n[FIRING_CONTEXTS];
	unsigned int cpu;

	memset(ret_fired, 0, sizeof(*ret_fired));
	if (!file)
		return false;
	while (fscanf(file, "%u %llu %llu %llu %llu", &cpu, n, n + 1, n + 2, n + 3) == 5) {
		for (int i = 0; cpu < FIRING_CPUS_MAX && i < FIRING_CONTEXTS; i++)
			ret_fired->hits[cpu][i] = n[i];
	}
	fclose(file);
	return true;
}

uint64_t firing_hits(const struct fired *before, const struct fired *after, uint32_t cpu)
{
	uint64_t sum = 0;

	for (int i = 0; i < FIRING_CONTEXTS; i++)
		sum += after->hits[cpu][i] - before->hits[cpu][i];
	return sum;
}

static uint32_t payload_bytes(uint32_t id)
{
	return id == FIRING_ID ? 16 : UINT32_MAX;
}

static void see(void *data, const struct walk_record *record)
{
	struct firing_ledger *ledger = data;
	uint64_t word[2];

	memcpy(word, record->payload, sizeof(word));
	if (word[0] >= FIRING_CONTEXTS) {
		ledger->went_back = true;
		return;
	}
	if (ledger->has_next[word[0]] && word[1] < ledger->next[word[0]])
		ledger->went_back = true;
	else if (ledger->has_next[word[0]])
		ledger->skipped += word[1] - ledger->next[word[0]];
	ledger->has_next[word[0]] = true;
	ledger->next[word[0]] = word[1] + 1;
	ledger->read[word[0]]++;
}

void ledger_init(struct firing_ledger *ledger)
{
	*ledger = (struct firing_ledger){
		.walk = { .payload_bytes = payload_bytes, .see = see, .data = ledger },
	};
}

uint64_t ledger_read(const struct firing_ledger *ledger)
{
	uint64_t sum = 0;

	for (int i = 0; i < FIRING_CONTEXTS; i++)
		sum += ledger->read[i];
	return sum;
}

void ledger_forget_place(struct firing_ledger *ledger)
{
	memset(ledger->has_next, 0, sizeof(ledger->has_next));
	ledger->walk.last_ts = 0;
}
