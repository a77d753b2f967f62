/* SPDX-License-Identifier: MIT */
/*
 * malloc_calls.c - calls each function of the heap N times, and sees that each does what its
 * manual says: results, errno, alignment, zeros. Prints the line of what went wrong.
 *
 *      malloc_calls N
 *
 * Per round: malloc 4 (1 fails), calloc 2 (1 fails), realloc 7 (2 of them reallocarray, 1 fails),
 * free 10 (1 of NULL), memalign 1, aligned_alloc 1, posix_memalign 2 (1 fails), valloc 1,
 * pvalloc 1. No operation of stdio, which would add its own.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(condition) expect((condition), __LINE__)

static int failed;

/* The compiler must not know what these are, or it leaves calls out. */
static void *(*volatile call_malloc)(size_t) = malloc;
static void *(*volatile call_calloc)(size_t, size_t) = calloc;
static void *(*volatile call_realloc)(void *, size_t) = realloc;
static void *(*volatile call_reallocarray)(void *, size_t, size_t) = reallocarray;
static void (*volatile call_free)(void *) = free;

static void expect(int condition, int line)
{
	char text[16] = "line 0000\n";

	if (condition)
		return;
	for (int i = 8; i >= 5; i--, line /= 10)
		text[i] = (char)('0' + line % 10);
	if (write(2, text, 10) != 10)
		_exit(3);
	failed = 1;
}

static int is_aligned(const void *ptr, size_t alignment)
{
	return ptr && (uintptr_t)ptr % alignment == 0;
}

static int is_zero(const char *ptr, size_t size)
{
	while (size && !ptr[size - 1])
		size--;
	return !size;
}

/* malloc 4, free 4 */
static void round_malloc(void)
{
	void *ptr = call_malloc(1001);

	errno = EDOM;
	EXPECT(is_aligned(ptr, 16) && malloc_usable_size(ptr) >= 1001);
	call_free(ptr);
	call_free(NULL);
	ptr = call_malloc(0);
	EXPECT(ptr != NULL);
	call_free(ptr);
	ptr = call_malloc((size_t)1 << 20);
	EXPECT(ptr != NULL);
	memset(ptr, 1, (size_t)1 << 20);
	call_free(ptr);
	EXPECT(errno == EDOM);
	EXPECT(!call_malloc(SIZE_MAX / 2 + 1) && errno == ENOMEM);
}

/* calloc 2, free 1 */
static void round_calloc(void)
{
	char *ptr;

	errno = EDOM;
	ptr = call_calloc(7, 143);
	EXPECT(ptr && is_zero(ptr, 7 * 143) && errno == EDOM);
	call_free(ptr);
	EXPECT(!call_calloc(SIZE_MAX / 2, 4) && errno == ENOMEM);
}

/* realloc 7, free 0: the last one frees */
static void round_realloc(void)
{
	char *ptr = call_realloc(NULL, 1003);
	char *bigger;

	errno = EDOM;
	EXPECT(ptr != NULL);
	strcpy(ptr, "kept");
	ptr = call_realloc(ptr, 100003);
	EXPECT(ptr && !strcmp(ptr, "kept"));
	ptr = call_reallocarray(ptr, 11, 93);
	EXPECT(ptr && !strcmp(ptr, "kept"));
	ptr = call_reallocarray(ptr, 1, 10);
	EXPECT(ptr && !strcmp(ptr, "kept") && errno == EDOM);
	EXPECT(!call_reallocarray(ptr, SIZE_MAX / 2, 4) && errno == ENOMEM);
	bigger = call_realloc(ptr, SIZE_MAX / 2 + 1);
	EXPECT(!bigger && errno == ENOMEM && !strcmp(ptr, "kept"));
	ptr = call_realloc(ptr, 20);
	EXPECT(ptr && !strcmp(ptr, "kept"));
	EXPECT(!call_realloc(ptr, 0));
}

/* memalign, aligned_alloc, valloc, pvalloc 1 each, posix_memalign 2, free 5 */
static void round_aligned(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *ptr;

	errno = EDOM;
	ptr = memalign(64, 1004);
	EXPECT(is_aligned(ptr, 64));
	call_free(ptr);
	ptr = aligned_alloc(128, 1024);
	EXPECT(is_aligned(ptr, 128));
	call_free(ptr);
	EXPECT(posix_memalign(&ptr, 256, 1006) == 0 && is_aligned(ptr, 256));
	call_free(ptr);
	EXPECT(posix_memalign(&ptr, 3, 1006) == EINVAL);
	ptr = valloc(1007);
	EXPECT(is_aligned(ptr, page));
	call_free(ptr);
	ptr = pvalloc(1008);
	EXPECT(is_aligned(ptr, page) && malloc_usable_size(ptr) >= page);
	call_free(ptr);
	EXPECT(errno == EDOM);
}

int main(int argc, char **argv)
{
	for (int n = argc > 1 ? atoi(argv[1]) : 1; n > 0; n--) {
		round_malloc();
		round_calloc();
		round_realloc();
		round_aligned();
	}
	return failed;
}
