/* SPDX-License-Identifier: MIT */
/*
 * Traces that are read, cut, killed or out of disk while lib/ctf writes them.
 *
 * All tests play one script of packets that appear and grow. However it is interrupted, playing it
 * again to its end must give the same packets as if nothing had happened.
 */
#include "ctf_write_trace.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#define FILE_NAME      "channel0_0"
#define FILE_BYTES_MAX (1 << 20)

/* Packets of `count` numbers. Small sub-buffers, so that room has to be made more than once. */
static const struct step {
	uint64_t seq;
	uint32_t count;
	bool final;
} script[] = {
	{ 0, 1, false }, { 0, 2, false }, { 0, 40, false }, { 0, 40, true }, { 1, 50, true },
	{ 2, 50, true }, { 3, 49, true }, { 4, 50, true },  { 5, 50, true }, { 6, 50, true },
	{ 7, 50, true }, { 8, 7, false }, { 8, 50, true },  { 9, 50, true }, { 12, 3, false },
};
#define STEPS (sizeof(script) / sizeof(script[0]))

static const struct ctf_stream_spec small_spec = {
	.channel = "channel0",
	.subbuf_bytes = 512,
};

static struct ctf_packet packet_of_step(struct fixture *f, const struct step *step)
{
	uint64_t begin_ts = 1000 * (step->seq + 1);
	struct ctf_packet packet;

	f->records.used = 0;
	put_writer(&f->records, begin_ts, 10, 11, "thread");
	for (uint32_t i = 0; i < step->count; i++) {
		put_compact(&f->records, 1, begin_ts + i);
		put_u32(&f->records, i);
	}
	packet = packet_of(&f->records, step->seq, begin_ts, begin_ts + step->count);
	packet.final = step->final;
	return packet;
}

/* Whether the stream has what this packet holds. */
static bool is_done(const struct ctf_stream *stream, const struct ctf_packet *packet)
{
	struct ctf_packet last;

	return ctf_stream_last(stream, &last) &&
	       (packet->seq < last.seq || (packet->seq == last.seq && packet->bytes < last.bytes));
}

/* Go on with the stream where it is. Return: 0 or an errno. */
static int play(struct fixture *f)
{
	struct ctf_stream *stream;
	int err = ctf_stream_open(f->trace, &small_spec, &stream, &f->error);

	if (err)
		return err;
	for (size_t i = 0; i < STEPS && !err; i++) {
		struct ctf_packet packet = packet_of_step(f, &script[i]);

		if (!is_done(stream, &packet))
			err = ctf_stream_put(stream, &packet, &f->error);
	}
	return err ? err : ctf_stream_close(stream, &f->error);
}

/* ---- the file as bytes ---- */

struct image {
	size_t bytes;
	unsigned char data[FILE_BYTES_MAX];
};

static struct image *read_image(const struct fixture *f)
{
	struct image *image = malloc(sizeof(*image));
	char path[512];
	FILE *in;

	assert_non_null(image);
	stream_path(f, FILE_NAME, path, sizeof(path));
	in = fopen(path, "re");
	assert_non_null(in);
	image->bytes = fread(image->data, 1, sizeof(image->data), in);
	assert_true(image->bytes < sizeof(image->data));
	fclose(in);
	return image;
}

static void write_image(const struct fixture *f, const struct image *image, size_t bytes)
{
	char path[512];
	FILE *out;

	stream_path(f, FILE_NAME, path, sizeof(path));
	out = fopen(path, "we");
	assert_non_null(out);
	assert_int_equal(fwrite(image->data, 1, bytes, out), bytes);
	assert_int_equal(fclose(out), 0);
}

static void remove_file(const struct fixture *f)
{
	char path[512];

	stream_path(f, FILE_NAME, path, sizeof(path));
	unlink(path);
}

/* What an undisturbed play gives. */
static struct image *play_reference(struct fixture *f)
{
	struct image *image;

	write_metadata(f, &plain_schema);
	assert_int_equal(play(f), 0);
	image = read_image(f);
	remove_file(f);
	return image;
}

/* The packets of an image, without what is between them. */
static struct image *packets_of(const struct image *image)
{
	struct image *packets = calloc(1, sizeof(*packets));
	struct ctf_packet_head head;

	assert_non_null(packets);
	for (size_t at = 0; at < image->bytes;) {
		size_t packet_bytes;

		assert_true(at + sizeof(head) <= image->bytes);
		memcpy(&head, image->data + at, sizeof(head));
		assert_int_equal(head.magic, CTF_PACKET_MAGIC);
		packet_bytes = head.packet_bits / 8;
		head.packet_bits = 0;
		memcpy(packets->data + packets->bytes, image->data + at, head.content_bits / 8);
		memcpy(packets->data + packets->bytes, &head, sizeof(head));
		packets->bytes += head.content_bits / 8;
		at += packet_bytes;
		assert_true(at <= image->bytes);
	}
	return packets;
}

/* Room that was made at another moment may be left over at another place; else all is the same. */
static void expect_image(const struct fixture *f, const struct image *expected)
{
	struct image *image = read_image(f);
	struct image *packets = packets_of(image), *expected_packets = packets_of(expected);

	assert_int_equal(packets->bytes, expected_packets->bytes);
	assert_memory_equal(packets->data, expected_packets->data, expected_packets->bytes);
	free(packets);
	free(expected_packets);
	free(image);
}

/* ---- readers ---- */

static void a_packet_grows_under_a_readers_eyes(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;
	size_t done = 0;

	NEED_BABELTRACE();
	write_metadata(f, &plain_schema);
	stream = open_stream(f, &small_spec);
	for (size_t i = 0; i < STEPS - 1; i++) {
		struct ctf_packet packet = packet_of_step(f, &script[i]);

		if (i && script[i].seq != script[i - 1].seq)
			done += 1 + script[i - 1].count;
		put_packet(f, stream, &packet);
		expect_no_warning(judge(f, TICKS));
		assert_int_equal(count_lines(f->text), done + 1 + script[i].count);
	}
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	expect_no_warning(judge(f, TICKS));
	assert_int_equal(count_lines(f->text), done + 1 + script[STEPS - 2].count);
}

/* ---- children that are stopped at each system call ---- */

static pid_t start_traced(struct fixture *f)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(77);
		raise(SIGSTOP);
		_exit(play(f) ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		test_skip("ptrace() is not allowed here");
	assert_true(WIFSTOPPED(status));
	assert_int_equal(
		ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL), 0);
	return pid;
}

/* Up to the next begin or end of a system call. Return: whether it still runs. */
static bool step_call(pid_t pid)
{
	int status;

	assert_int_equal(ptrace(PTRACE_SYSCALL, pid, 0, 0), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSTOPPED(status))
		return true;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	return false;
}

/* The system call that begins here, or -1. */
static long call_that_begins(pid_t pid)
{
	struct __ptrace_syscall_info info = { .op = PTRACE_SYSCALL_INFO_NONE };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) < 0)
		return -1;
	return info.op == PTRACE_SYSCALL_INFO_ENTRY ? (long)info.entry.nr : -1;
}

static bool changes_files(long call)
{
	return call == SYS_pwrite64 || call == SYS_ftruncate || call == SYS_unlinkat ||
	       call == SYS_renameat || call == SYS_openat || call == SYS_exit_group;
}

/*
 * The state before each call that changes files is read; but for that of ftruncate() which follows
 * the first bytes behind the end of the file.
 */
static void a_reader_is_right_between_any_two_system_calls(void **state)
{
	struct fixture *f = *state;
	uint64_t before = UINT64_MAX, now;
	size_t lines = 0, judged = 0, skipped = 0;
	bool has_grown;
	pid_t pid;

	NEED_BABELTRACE();
	write_metadata(f, &plain_schema);
	pid = start_traced(f);
	while (step_call(pid)) {
		long call = call_that_begins(pid);

		if (!changes_files(call))
			continue;
		now = size_of(f, FILE_NAME);
		has_grown = before != UINT64_MAX && now > before && call == SYS_ftruncate;
		before = now;
		skipped += has_grown;
		if (now == UINT64_MAX || has_grown)
			continue;
		/* The script leaves out packets 10 and 11, which babeltrace2 tells. */
		judge(f, TICKS);
		if (!strstr(f->text, "discarded 2 packets"))
			expect_no_warning(f->text);
		assert_true(count_lines(f->text) >= lines);
		lines = count_lines(f->text);
		judged++;
	}
	assert_true(judged > STEPS);
	assert_true(skipped <= STEPS / 4);
}

static void killed_at_any_system_call_it_goes_on(void **state)
{
	struct fixture *f = *state;
	struct image *expected = play_reference(f);
	bool is_running = true;
	size_t calls;

	for (calls = 1; is_running; calls++) {
		pid_t pid = start_traced(f);

		for (size_t i = 0; i < calls && is_running; i++)
			is_running = step_call(pid);
		if (is_running) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
		}
		if (play(f))
			fail_msg("killed at call %zu: %s", calls, f->error.text);
		expect_image(f, expected);
		remove_file(f);
	}
	assert_true(calls > 4 * STEPS);
	free(expected);
}

/* ---- files that were cut ---- */

static void cut_at_any_byte_it_goes_on(void **state)
{
	struct fixture *f = *state;
	struct image *expected = play_reference(f);

	for (size_t cut = 0; cut <= expected->bytes; cut += cut < 1000 ? 1 : 7) {
		write_image(f, expected, cut);
		if (play(f))
			fail_msg("cut at %zu: %s", cut, f->error.text);
		expect_image(f, expected);
	}
	free(expected);
}

static void cut_while_it_has_room_it_goes_on(void **state)
{
	struct fixture *f = *state;
	struct image *expected = play_reference(f), *live;
	struct ctf_stream *stream = open_stream(f, &small_spec);

	for (size_t i = 0; i < STEPS - 1; i++) {
		struct ctf_packet packet = packet_of_step(f, &script[i]);

		put_packet(f, stream, &packet);
	}
	live = read_image(f);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	assert_true(live->bytes > size_of(f, FILE_NAME));
	for (size_t cut = 0; cut <= live->bytes; cut += 29) {
		write_image(f, live, cut);
		assert_int_equal(play(f), 0);
		expect_image(f, expected);
	}
	free(live);
	free(expected);
}

static void a_file_that_is_damaged_inside_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct image *image = play_reference(f), *after;
	struct ctf_stream *stream;

	image->data[offsetof(struct ctf_packet_head, packet_bits)] ^= 0x40;
	write_image(f, image, image->bytes);
	assert_int_equal(ctf_stream_open(f->trace, &small_spec, &stream, &f->error), -EBADMSG);
	after = read_image(f);
	assert_int_equal(after->bytes, image->bytes);
	assert_memory_equal(after->data, image->data, image->bytes);
	free(after);
	free(image);
}

/* ---- disks that are full ---- */

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void expect_same_last(const struct ctf_stream *stream, bool had_last,
			     const struct ctf_packet *before)
{
	struct ctf_packet now;

	assert_int_equal(ctf_stream_last(stream, &now), had_last);
	if (had_last)
		assert_true(now.seq == before->seq && now.bytes == before->bytes &&
			    now.end_ts == before->end_ts);
}

/* A limit of the file's size cuts writes short at any byte, as a full disk does. */
static void play_with_limit(struct fixture *f, rlim_t bytes)
{
	struct ctf_stream *stream = open_stream(f, &small_spec);

	for (size_t i = 0; i < STEPS; i++) {
		struct ctf_packet packet = packet_of_step(f, &script[i]), before;
		bool had_last = ctf_stream_last(stream, &before);
		int err;

		limit_files(bytes);
		err = ctf_stream_put(stream, &packet, &f->error);
		limit_files(RLIM_INFINITY);
		if (!err)
			continue;
		assert_int_equal(err, -EFBIG);
		expect_same_last(stream, had_last, &before);
		put_packet(f, stream, &packet);
	}
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

static void a_write_that_fails_at_any_byte_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct image *expected = play_reference(f);
	void (*old)(int) = signal(SIGXFSZ, SIG_IGN);

	for (rlim_t limit = 0; limit < expected->bytes + 100; limit += 23) {
		play_with_limit(f, limit);
		expect_image(f, expected);
		remove_file(f);
	}
	signal(SIGXFSZ, old);
	free(expected);
}

static void metadata_that_cannot_be_written_leaves_the_old(void **state)
{
	struct fixture *f = *state;
	void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
	uint64_t bytes;
	int err;

	write_metadata(f, &plain_schema);
	bytes = size_of(f, "metadata");
	limit_files(100);
	err = ctf_trace_metadata(f->trace, &plain_schema, &f->error);
	limit_files(RLIM_INFINITY);
	signal(SIGXFSZ, old);
	assert_int_equal(err, -EFBIG);
	expect_text(f->error.text, "metadata");
	assert_int_equal(size_of(f, "metadata"), bytes);
	assert_int_equal(size_of(f, ".metadata.new"), UINT64_MAX);
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return is_done;
}

/* A file system of 64 KiB at @dir, which only this process sees. */
static bool mount_small(const char *dir)
{
	char map[32];

	snprintf(map, sizeof(map), "0 %u 1", geteuid());
	if (unshare(CLONE_NEWNS)) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
			return false;
		write_text("/proc/self/uid_map", map);
	}
	return !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", dir, "tmpfs", 0, "size=64k");
}

/* In the child of the next test. Return: 0, or the number of what went wrong. */
static int fill_disk(struct fixture *f)
{
	struct ctf_stream *stream;
	struct ctf_packet packet, last;
	uint64_t seq = 0;
	char ballast[512];
	int err, fd;

	stream_path(f, "../ballast", ballast, sizeof(ballast));
	fd = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || posix_fallocate(fd, 0, 16384))
		return 1;
	if (ctf_stream_open(f->trace, &small_spec, &stream, &f->error))
		return 2;
	do {
		packet = packet_of_step(f, &(struct step){ ++seq, 50, true });
		err = ctf_stream_put(stream, &packet, &f->error);
	} while (!err && seq < 1000);
	if (err != -ENOSPC || !ctf_stream_last(stream, &last) || last.seq != seq - 1)
		return 3;
	if (ftruncate(fd, 0) || ctf_stream_put(stream, &packet, &f->error))
		return 4;
	if (!ctf_stream_last(stream, &last) || last.seq != seq)
		return 5;
	return ctf_stream_close(stream, &f->error) ? 6 : 0;
}

static void a_full_disk_is_told_and_can_be_mended(void **state)
{
	struct fixture *f = *state;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!mount_small(f->dir))
			_exit(77);
		open_trace(f, "small");
		_exit(fill_disk(f));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		test_skip("a file system of its own is not allowed here");
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- content that changes ---- */

static void a_mapping_that_was_cut_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);
	struct ctf_packet packet = { .begin_ts = 1, .end_ts = 2, .bytes = 100 };
	int fd = memfd_create("ring", MFD_CLOEXEC);
	struct ctf_packet last;
	void *ring;

	assert_int_equal(ftruncate(fd, 8192), 0);
	ring = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(ring, MAP_FAILED);
	packet.content = ring;
	put_packet(f, stream, &packet);
	assert_int_equal(ftruncate(fd, 4096), 0);
	packet.bytes = 8192;
	assert_int_equal(ctf_stream_put(stream, &packet, &f->error), -EFAULT);
	assert_true(ctf_stream_last(stream, &last));
	assert_int_equal(last.bytes, 100);
	packet.seq = 1;
	packet.begin_ts = packet.end_ts;
	assert_int_equal(ctf_stream_put(stream, &packet, &f->error), -EFAULT);
	assert_true(ctf_stream_last(stream, &last));
	assert_int_equal(last.seq, 0);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	munmap(ring, 8192);
	close(fd);
}

static int say_stale(void *arg)
{
	++*(int *)arg;
	return -ESTALE;
}

static void content_that_is_not_confirmed_stays_unseen(void **state)
{
	struct fixture *f = *state;
	struct image *expected = play_reference(f);
	struct ctf_stream *stream = open_stream(f, &small_spec);
	int asked = 0;

	for (size_t i = 0; i < STEPS; i++) {
		struct ctf_packet packet = packet_of_step(f, &script[i]), before;
		bool had_last = ctf_stream_last(stream, &before);

		packet.confirm = say_stale;
		packet.confirm_arg = &asked;
		assert_int_equal(ctf_stream_put(stream, &packet, &f->error), -ESTALE);
		expect_same_last(stream, had_last, &before);
		packet.confirm = NULL;
		put_packet(f, stream, &packet);
	}
	assert_int_equal(asked, STEPS);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	expect_image(f, expected);
	free(expected);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_packet_grows_under_a_readers_eyes),
		TEST(a_reader_is_right_between_any_two_system_calls),
		TEST(killed_at_any_system_call_it_goes_on),
		TEST(cut_at_any_byte_it_goes_on),
		TEST(cut_while_it_has_room_it_goes_on),
		TEST(a_file_that_is_damaged_inside_is_left_alone),
		TEST(a_write_that_fails_at_any_byte_changes_nothing),
		TEST(metadata_that_cannot_be_written_leaves_the_old),
		TEST(a_full_disk_is_told_and_can_be_mended),
		TEST(a_mapping_that_was_cut_is_an_error),
		TEST(content_that_is_not_confirmed_stays_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
