/* SPDX-License-Identifier: MIT */
/*
 * helpers_functions - calls of known numbers, with arguments in every register that can hold one, and
 * everything that looks at return addresses. Compiled by helpers_functions.sh, with -pg.
 *
 * Prints what it computed, so that a changed argument changes the output. Arguments: rounds. With
 * NARROW, no vector is wider than 128 bits; with NO_512, than 256.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* They are not static, so that compilers leave them their names and arguments. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define NOINLINE __attribute__((noinline))

typedef float v8 __attribute__((vector_size(32)));
typedef float v16 __attribute__((vector_size(64)));

struct large {
	long numbers[12];
};

NOINLINE double many(int a, long b, short c, signed char d, unsigned e, long long f, int g, double h,
		     float i, double j, double k, double l, double m, double n, double o, double p)
{
	return a + 2. * b + 3 * c + 4 * d + 5. * e + 6. * f + 7 * g + h + 2 * i + 3 * j + 4 * k + 5 * l +
	       6 * m + 7 * n + 8 * o + 9 * p;
}

NOINLINE double vary(int count, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += va_arg(list, double) * (i + 1);
	va_end(list);
	return sum;
}

NOINLINE struct large in_memory(struct large in, int n)
{
	for (int i = 0; i < 12; i++)
		in.numbers[i] += n * i;
	return in;
}

static jmp_buf back;

NOINLINE void jump(int n)
{
	if (n)
		longjmp(back, n);
}

static void jump_back(int n)
{
	if (!setjmp(back))
		jump(n % 7);
}

static volatile sig_atomic_t signals;

NOINLINE void on_signal(int number)
{
	signals += number == SIGUSR1;
}

#if defined(__x86_64__) && !defined(NARROW)

__attribute__((target("avx"))) NOINLINE v8 by_eight(v8 a, v8 b, v8 c, v8 d, v8 e, v8 f, v8 g, v8 h)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8;
}

__attribute__((target("avx"))) static double with_eight(int n)
{
	v8 v[8], result;
	double sum = 0;

	for (int i = 0; i < 64; i++)
		v[i / 8][i % 8] = n + i;
	result = by_eight(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
	for (int i = 0; i < 8; i++)
		sum += result[i] * (i + 1);
	return sum;
}

__attribute__((target("avx512f"))) NOINLINE v16 by_sixteen(v16 a, v16 b, v16 c, v16 d, v16 e, v16 f, v16 g,
							    v16 h)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8;
}

__attribute__((target("avx512f"))) static double with_sixteen(int n)
{
	v16 v[8], result;
	double sum = 0;

	for (int i = 0; i < 128; i++)
		v[i / 16][i % 16] = n + i;
	result = by_sixteen(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
	for (int i = 0; i < 16; i++)
		sum += result[i] * (i + 1);
	return sum;
}

static double with_vectors(int n)
{
	double sum = __builtin_cpu_supports("avx") ? with_eight(n) : 0;

#ifndef NO_512
	sum += __builtin_cpu_supports("avx512f") ? with_sixteen(n) : 0;
#endif
	return sum;
}

#else

static double with_vectors(int n)
{
	return n;
}

#endif

static double one_round(int n)
{
	struct large large = { { n, n + 1, n + 2 } };
	double sum = many(n, n + 1, n + 2, 3, n + 4, n + 5, n + 6, n + .5, n + .25f, n, n * 2., n * 3.,
			  n * 4., n * 5., n * 6., n * 7.);

	sum += vary(9, n * 1.5, 2.5, 3.5, 4., 5., 6., 7., 8., 9.) + in_memory(large, n).numbers[11];
	jump_back(n);
	raise(SIGUSR1);
	return sum + with_vectors(n);
}

#ifdef WITH_OWN_MCOUNT
void fake_report(void);
#endif

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;
	double sum = 0;

	signal(SIGUSR1, on_signal);
	for (int i = 0; i < rounds; i++)
		sum += one_round(i);
	printf("%.3f %d\n", sum, (int)signals);
#ifdef WITH_OWN_MCOUNT
	fake_report();
#endif
}
