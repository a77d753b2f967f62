/* SPDX-License-Identifier: MIT */
/*
 * Each allocation of lib/ctf's writing half, and of event descriptions, fails once.
 */
#include "ctf_write_trace.h"

/* A sanitizer's allocator must not be replaced. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* Allocations until one fails; negative: none does. */
static int left = -1;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static bool is_refused(void)
{
	if (left < 0)
		return false;
	return left-- == 0;
}

#if !IS_SANITIZED
void *malloc(size_t bytes)
{
	return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return is_refused() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return is_refused() ? NULL : __libc_realloc(old, bytes);
}
#endif

static int write_whole_trace(struct fixture *f, const struct ctf_trace_info *info)
{
	const struct ctf_packet packet = packet_of(&f->records, 0, 100, 200);
	struct ctf_stream *stream = NULL;
	struct ctf_trace *trace = NULL;
	int err = ctf_trace_open(f->dir, info, &trace, &f->error), closed;

	if (!err)
		err = ctf_trace_metadata(trace, &plain_schema, &f->error);
	if (!err)
		err = ctf_stream_open(trace, &plain_spec, &stream, &f->error);
	if (!err)
		err = ctf_stream_put(stream, &packet, &f->error);
	closed = ctf_stream_close(stream, err ? NULL : &f->error);
	ctf_trace_close(trace);
	return err ? err : closed;
}

/* glibc does without some of its allocations; then the trace has to be whole. */
static void a_trace_without_memory_is_an_error_or_whole(void **state)
{
	struct fixture *f = *state;
	struct ctf_trace_info info;
	int tries = 0, failures = 0, err;
	uint64_t whole;

	assert_int_equal(ctf_trace_info_init(&info, "x", 1000, 0), 0);
	put_writer(&f->records, 100, 1, 2, "t");
	assert_int_equal(write_whole_trace(f, &info), 0);
	whole = size_of(f, "metadata");
	for (;;) {
		f->error.text[0] = 0;
		left = tries++;
		err = write_whole_trace(f, &info);
		if (left >= 0)
			break;
		assert_int_equal(size_of(f, "metadata"), whole);
		if (!err)
			continue;
		assert_int_equal(err, -ENOMEM);
		assert_non_null(strstr(f->error.text, "emory"));
		failures++;
	}
	left = -1;
	assert_int_equal(err, 0);
	assert_true(failures > 4);
}

static void a_description_without_memory_is_an_error(void **state)
{
	uint64_t bytes[64];
	struct event_desc *desc;
	struct fixture *f = *state;

	assert_true(event_desc_build(&number_desc, bytes, sizeof(bytes)) > 0);
	left = 0;
	assert_int_equal(event_desc_parse(bytes, sizeof(bytes), &desc, &f->error), -ENOMEM);
	left = -1;
	assert_int_equal(event_desc_parse(bytes, sizeof(bytes), &desc, &f->error), 0);
	event_desc_free(desc);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_trace_without_memory_is_an_error_or_whole),
		TEST(a_description_without_memory_is_an_error),
	};

	if (IS_SANITIZED) {
		puts("the allocator is a sanitizer's");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
