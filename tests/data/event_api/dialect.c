/* SPDX-License-Identifier: MIT */
/* dialect.c - each form of an event, compiled in every dialect of C: none may warn. */
#include <tacho/event.h>

struct bits {
	unsigned int a : 3;
	int b : 5;
	unsigned long long c : 40;
};
enum colour { RED, GREEN };

void one(unsigned int x);
void many(struct bits *b, char *s, void *p, volatile int *v, const char buf[8], double d, float f,
	  long double ld, _Bool t);

void one(unsigned int x)
{
	tacho_event(shop, one, "x", x);
}

void many(struct bits *b, char *s, void *p, volatile int *v, const char buf[8], double d, float f,
	  long double ld, _Bool t)
{
	int i = 3;
	int array[4] = {1, 2, 3, 4};
	enum colour c = GREEN;

	tacho_event(shop, many, "a", b->a, "b", b->b, "c", b->c, "s", s, "p", p, "v", *v, "buf",
		    buf, "d", d, "f", f, "ld", ld, "t", t, "lit", "hello", "e", c, "fn", many, "hex",
		    tacho_hex(i), "arr", tacho_array(array, 4));
	tacho_event(shop, text, "i", i++, "text", tacho_text(s, 3), "bytes", tacho_bytes(p, 3));
	if (i)
		tacho_event(shop, none);
	else
		tacho_event_level(TACHO_LEVEL_WARNING, shop, low_stock, "item", i);
	tacho_event(shop, a); tacho_event(shop, b);
	TACHO_SPAN(shop, order, "id", 7);
	TACHO_SPAN(shop, inner);
	tacho_log(TACHO_LEVEL_INFO, "hello %d", i);
	tacho_log(TACHO_LEVEL_INFO, "hello");
	if (tacho_enabled(shop, one))
		tacho_begin(shop, x);
	tacho_end(shop, x, "k", s[0]);
	tacho_event(shop, zeros, "null", (void *)0, "zero", 0LL, "hex", tacho_hex(0LL));
	tacho_event(shop, asks, "on", tacho_enabled(shop, one), "comma", ((const int[]){1, 2}[0]));
}
