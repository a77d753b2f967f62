/* SPDX-License-Identifier: MIT */
/*
 * A program with fields of every type: for each number that it reads, so many events, and then a
 * line "done". Event i of a turn has values that follow from i.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/event.h>

static void emit(int i)
{
	static const char *const names[] = { "anna", "bob", "anton", "a*c" };
	static const uint32_t words[] = { 10, 20, 30, 40, 50 };
	static const double reals[] = { -0.5, 1e300 };
	const unsigned char bytes[] = { 1, (unsigned char)i, 0xff };

	tacho_event(filters, all, "i8", (int8_t)(i - 50), "u16", (uint16_t)(i * 600), "i64",
		    (int64_t)-i, "u64", UINT64_MAX - (uint64_t)i, "yes", (bool)(i % 2), "letter",
		    (char)('a' + i % 26), "pointer", (void *)(uintptr_t)(0x1000 + i), "hex",
		    tacho_hex(i), "single", (float)i / 2, "real", i / 10.0, "name", names[i % 4],
		    "text", tacho_text("gr\xc3\xbcn", (size_t)(1 + i % 5)), "bytes",
		    tacho_bytes(bytes, 3), "words", tacho_array(words, (size_t)(i % 6)), "reals",
		    tacho_array(reals, 2), "order.id", i);
}

/* Which events cost more than a look, since somebody may want them. */
static void print_enabled(void)
{
	printf("all %d word %d other %d\n", tacho_enabled(filters, all),
	       tacho_enabled(filters, word), tacho_enabled(filters, other));
}

/* With an argument, it says which events are enabled, and not that it is done. */
int main(int argc, char **argv)
{
	int count;

	(void)argv;

	while (scanf("%d", &count) == 1) {
		for (int i = 0; i < count; i++) {
			emit(i);
			tacho_event(filters, word, "i", i);
			tacho_event_level(TACHO_LEVEL_WARNING, filters, other, "total", i);
		}
		if (argc > 1)
			print_enabled();
		else
			puts("done");
		fflush(stdout);
	}
	return 0;
}
