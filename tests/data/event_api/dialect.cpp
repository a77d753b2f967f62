/* SPDX-License-Identifier: MIT */
/* dialect.cpp - each form of an event, compiled in every dialect of C++: none may warn. */
#include <tacho/event.h>

struct bits {
	unsigned int a : 3;
	int b : 5;
	unsigned long long c : 40;
	int method() const
	{
		return 1;
	}
};
enum colour { RED, GREEN };
enum class shade : short { LIGHT = -1 };

void one(unsigned int x);
void many(bits *b, char *s, void *p, volatile int *v, const char (&buf)[8], double d, float f,
	  long double ld, bool t);
void use();

void one(unsigned int x)
{
	tacho_event(shop, one, "x", x);
}

inline bool in_inline(int x)
{
	tacho_event(shop, in_inline, "x", x);
	return tacho_enabled(shop, one);
}

template <class T> void in_template(T x)
{
	tacho_event(shop, in_template, "x", x, "n", sizeof(T));
	TACHO_SPAN(shop, in_template, "x", x);
}

void many(bits *b, char *s, void *p, volatile int *v, const char (&buf)[8], double d, float f,
	  long double ld, bool t)
{
	int i = 3;
	int array[4] = {1, 2, 3, 4};
	colour c = GREEN;

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
	tacho_event(shop, more, "l", [&] { return i; }(), "n", nullptr, "e", shade::LIGHT, "m",
		    b->method(), "f", __func__, "h", tacho_hex(c));
	tacho_event(shop, zeros, "zero", 0LL, "on", tacho_enabled(shop, one));
}

/* A level may be known only in the instance of a template. */
template <int level> void of_level()
{
	tacho_event_level(level, shop, of_level);
	tacho_log(level, "of a level");
}

void use()
{
	in_inline(1);
	of_level<TACHO_LEVEL_ERR>();
	in_template(1);
	in_template("s");
	in_template(2.0);
}
