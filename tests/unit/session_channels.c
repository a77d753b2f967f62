/* SPDX-License-Identifier: MIT */
/* session_channels.c - channels that come and go while a session lives (lib/session) */
#include "tests/unit/session_fixture.h"

#include <errno.h>

#include "session/state.h"

static struct session *create_empty(struct fixture *f, bool streaming, enum tacho_mode mode)
{
	struct session_options options = {
		.name = "s",
		.output = streaming ? f->trace : NULL,
		.streaming = streaming,
		.channel = { .buffer_bytes = 32768, .mode = mode },
		.channel_later = true,
	};
	struct session *session;

	assert_ok(f, session_create(&f->runtime, &options, &session, &f->error));
	return session;
}

static enum channel_change enable_channel(struct fixture *f, struct session *session,
					  const struct channel_options *options)
{
	enum channel_change change = 99;

	assert_ok(f, session_enable_channel(session, options, &change, &f->error));
	return change;
}

static int try_channel(struct fixture *f, struct session *session, struct channel_options options)
{
	enum channel_change change;

	return session_enable_channel(session, &options, &change, &f->error);
}

static void enable_event(struct fixture *f, struct session *session, const char *channel,
			 const char *pattern)
{
	struct rule_options options = { .pattern = pattern, .channel = channel };

	assert_ok(f, session_enable_event(session, &options, &f->error));
}

static void session_without_channel_has_no_rings(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct session_stats stats;

	assert_int_equal(session_file(session)->channel_count, 0);
	assert_ok(f, session_stats(session, &stats, &f->error));
	assert_int_equal(stats.memory_bytes, 0);
	assert_false(exists(f, "sessions/s/channel0.rings"));
	assert_ok(f, session_start(session, &f->error));
	assert_ok(f, session_stop(session, &f->error));
	session_close(session);
}

static void first_rule_makes_channel0_as_create_was_told(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	const struct tacho_session *file = session_file(session);

	enable_event(f, session, NULL, "*");
	assert_int_equal(file->channel_count, 1);
	assert_string_equal(file->channel[0].name, "channel0");
	assert_int_equal(file->channel[0].mode, TACHO_MODE_OVERWRITE);
	assert_int_equal(file->channel[0].subbuf_count << file->channel[0].subbuf_shift, 32768);
	assert_true(exists(f, "sessions/s/channel0.rings"));
	assert_true(exists(f, "sessions/s/channel0.shards"));
	session_close(session);
}

static void rule_that_cannot_be_makes_no_channel(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct rule_options options = { .pattern = "nothing" };

	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	options.channel = "other";
	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	options = (struct rule_options){ .pattern = "*", .channel = "" };
	assert_int_equal(session_enable_event(session, &options, &f->error), -EINVAL);
	assert_int_equal(session_file(session)->channel_count, 0);
	session_close(session);
}

static void rule_makes_the_channel_it_names(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	const struct tacho_channel *channel = session_file(session)->channel;

	enable_event(f, session, "one", "*");
	enable_event(f, session, "two", "*");
	enable_event(f, session, "one", "p:*");
	assert_int_equal(session_file(session)->channel_count, 2);
	assert_string_equal(channel[1].name, "two");
	assert_int_equal(channel[1].mode, TACHO_MODE_OVERWRITE);
	assert_int_equal(channel[1].subbuf_count << channel[1].subbuf_shift, 32768);
	session_close(session);
}

static void only_channel_is_meant_where_none_is_named(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct rule_options options = { .pattern = "p:*" };

	enable_channel(f, session, &(struct channel_options){ .name = "big" });
	enable_event(f, session, NULL, "*");
	assert_int_equal(session_file(session)->rule[0].channel, 0);
	enable_channel(f, session, &(struct channel_options){ .name = "small" });
	assert_int_equal(session_enable_event(session, &options, &f->error), -ENOENT);
	assert_non_null(strstr(f->error.text, "'big', 'small'"));
	enable_event(f, session, "small", "*");
	assert_int_equal(session_file(session)->rule[1].channel, 1);
	session_close(session);
}

static void channel_comes_while_the_session_records(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, true, TACHO_MODE_DISCARD);
	const struct tacho_session *file = session_file(session);
	struct channel_options options = { .name = "late", .buffer_bytes = 65536 };
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(enable_channel(f, session, &options), CHANNEL_MADE);
	assert_int_equal(file->channel_count, 1);
	assert_int_equal(file->generation % 2, 0);
	enable_event(f, session, "late", "shop:*");
	assert_int_equal(p.event[0].state, 1 | TACHO_STATE_STALE);
	assert_ok(f, session_stop(session, &f->error));
	session_close(session);
	program_fini(&p);
}

static void disabled_channel_gets_nothing_until_it_is_enabled(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_session(f, "s", false, TACHO_MODE_OVERWRITE);
	struct channel_options again = { .name = "channel0" };
	struct fake_program p;

	program_init_self(f, &p);
	program_add(&p, "shop", "order", TACHO_LEVEL_INFO);
	enable_event(f, session, NULL, "*");
	assert_ok(f, session_start(session, &f->error));
	assert_int_equal(p.event[0].state & 1, 1);
	assert_ok(f, session_disable_channel(session, TACHO_DOMAIN_USER, "channel0", &f->error));
	assert_int_equal(p.event[0].state & 1, 0);
	assert_ok(f, session_disable_channel(session, TACHO_DOMAIN_USER, "channel0", &f->error));
	assert_int_equal(enable_channel(f, session, &again), CHANNEL_ENABLED);
	assert_int_equal(p.event[0].state, 1 | TACHO_STATE_STALE);
	assert_int_equal(enable_channel(f, session, &again), CHANNEL_AS_IT_WAS);
	assert_int_equal(session_disable_channel(session, TACHO_DOMAIN_USER, "other", &f->error), -ENOENT);
	session_close(session);
	program_fini(&p);
}

static void what_a_channel_is_cannot_change(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, true, TACHO_MODE_DISCARD);
	struct channel_options is = { .name = "c", .buffer_bytes = 65536 };
	struct channel_options wish = is;

	enable_channel(f, session, &is);
	wish.buffer_bytes = 131072;
	assert_int_equal(try_channel(f, session, wish), -EBUSY);
	assert_non_null(strstr(f->error.text, "another name"));
	wish = (struct channel_options){ .name = "c",
					 .mode_given = true,
					 .mode = TACHO_MODE_OVERWRITE };
	assert_int_equal(try_channel(f, session, wish), -EBUSY);
	wish = (struct channel_options){ .name = "c", .tracefile_bytes = 4096 };
	assert_int_equal(try_channel(f, session, wish), -EBUSY);
	wish = (struct channel_options){ .name = "c", .mode_given = true };
	assert_int_equal(enable_channel(f, session, &wish), CHANNEL_AS_IT_WAS);
	assert_int_equal(enable_channel(f, session, &is), CHANNEL_AS_IT_WAS);
	session_close(session);
}

static void any_number_of_subbufs_of_any_size_is_taken(void **state)
{
	static const struct {
		uint64_t bytes;
		uint32_t count;
		uint32_t is_count;
		uint32_t is_shift;
	} cases[] = {
		{ 4096, 1, 4, 12 },    { 1, 0, 4, 12 },      { 5000, 7, 7, 13 },
		{ 65536, 64, 64, 16 }, { 4096, 65, 33, 13 }, { 4096, 1000, 63, 16 },
		{ 0, 2, 4, 19 },
	};
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[] = { 'c', (char)('0' + i), '\0' };
		struct channel_options options = { .name = name,
						   .subbuf_bytes = cases[i].bytes,
						   .subbuf_count = cases[i].count };
		const struct tacho_channel *channel = &session_file(session)->channel[i];

		enable_channel(f, session, &options);
		assert_int_equal(channel->subbuf_count, cases[i].is_count);
		assert_int_equal(channel->subbuf_shift, cases[i].is_shift);
	}
	session_close(session);
}

static void wrong_channels_are_refused_and_leave_nothing(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct channel_options wish = { .name = "" };

	assert_int_equal(try_channel(f, session, wish), -EINVAL);
	wish = (struct channel_options){ .name = "c", .buffer_bytes = 100 };
	assert_int_equal(try_channel(f, session, wish), -EINVAL);
	wish = (struct channel_options){ .name = "c",
					 .subbuf_bytes = 1ull << 30,
					 .subbuf_count = 64 };
	assert_int_equal(try_channel(f, session, wish), -EINVAL);
	wish = (struct channel_options){ .name = "c",
					 .mode_given = true,
					 .mode = TACHO_MODE_BLOCK };
	assert_int_equal(try_channel(f, session, wish), -EINVAL);
	wish = (struct channel_options){ .name = "c", .buffer_bytes = TACHO_RING_BYTES_MAX };
	assert_int_equal(try_channel(f, session, wish), -ENOSPC);
	assert_false(exists(f, "sessions/s/c.rings"));
	assert_int_equal(session_file(session)->channel_count, 0);
	session_close(session);
}

static void channels_end_when_all_places_are_taken(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct channel_options wish = { .name = "more", .buffer_bytes = 16384 };
	char name[16];

	for (int i = 0; i < TACHO_CHANNELS_MAX; i++) {
		struct channel_options options = { .name = name, .buffer_bytes = 16384 };

		snprintf(name, sizeof(name), "c%d", i);
		enable_channel(f, session, &options);
	}
	assert_int_equal(try_channel(f, session, wish), -ENOSPC);
	assert_false(exists(f, "sessions/s/more.rings"));
	session_close(session);
}

/* CHANNEL_CPU of one, CHANNEL_CPU_NUMBER of the other; or CHANNEL_portable_CPU. */
static void channels_whose_files_would_have_the_same_names_are_refused(void **state)
{
	static const struct {
		const char *first, *second;
		uint64_t first_bytes, second_bytes;
		int ret;
	} cases[] = {
		{ "a", "a_0", 65536, 0, -EEXIST },
		{ "b_17", "b", 0, 65536, -EEXIST },
		{ "c", "c_portable_0", 65536, 0, -EEXIST },
		{ "d", "d_portable", 0, 0, -EEXIST },
		{ "e", "e_0", 65536, 65536, 0 },
		{ "f", "f_0", 0, 65536, 0 },
		{ "g", "g_0", 0, 0, 0 },
		{ "h", "h_", 65536, 0, 0 },
		{ "i", "i_0x", 65536, 0, 0 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct channel_options options = { .name = cases[i].first,
						   .tracefile_bytes = cases[i].first_bytes };
		struct session *session = create_empty(f, true, TACHO_MODE_DISCARD);

		enable_channel(f, session, &options);
		options.name = cases[i].second;
		options.tracefile_bytes = cases[i].second_bytes;
		assert_int_equal(try_channel(f, session, options), cases[i].ret);
		assert_ok(f, session_destroy(session, &f->error));
	}
}

/* A tool that was killed before it named the channel leaves its files. */
static void files_of_a_channel_nobody_knows_are_replaced(void **state)
{
	struct fixture *f = *state;
	struct session *session = create_empty(f, false, TACHO_MODE_OVERWRITE);
	struct channel_options options = { .name = "c", .buffer_bytes = 16384 };
	struct rings rings;
	int fd = openat(session->dir_fd, "c.rings", O_RDWR | O_CREAT, 0600);

	assert_true(fd >= 0);
	close(fd);
	enable_channel(f, session, &options);
	assert_ok(f, rings_open(session->dir_fd, "c.rings", &rings, &f->error));
	rings_close(&rings);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		session_test(session_without_channel_has_no_rings),
		session_test(first_rule_makes_channel0_as_create_was_told),
		session_test(rule_that_cannot_be_makes_no_channel),
		session_test(rule_makes_the_channel_it_names),
		session_test(only_channel_is_meant_where_none_is_named),
		session_test(channel_comes_while_the_session_records),
		session_test(disabled_channel_gets_nothing_until_it_is_enabled),
		session_test(what_a_channel_is_cannot_change),
		session_test(any_number_of_subbufs_of_any_size_is_taken),
		session_test(wrong_channels_are_refused_and_leave_nothing),
		session_test(channels_whose_files_would_have_the_same_names_are_refused),
		session_test(channels_end_when_all_places_are_taken),
		session_test(files_of_a_channel_nobody_knows_are_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
