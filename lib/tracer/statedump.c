/* SPDX-License-Identifier: MIT */
/* statedump.c - see statedump.h */
#include "tracer/statedump.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "base/rule.h"
#include "tracer/sys.h"

#define PROCNAME_BYTES 16

/* Of libtacho-libs.so, where that is loaded. */
extern void tacho_libs_dump(void) __attribute__((weak, visibility("default")));

#define POINTER_TYPE                                                                               \
	TACHO_TYPE(TACHO_KIND_INTEGER, sizeof(void *), TACHO_FLAG_HEX | TACHO_FLAG_POINTER)
#define NUMBER_TYPE TACHO_TYPE(TACHO_KIND_INTEGER, 8, 0)
#define BYTE_TYPE   TACHO_TYPE(TACHO_KIND_INTEGER, 1, 0)
#define STRING_TYPE TACHO_TYPE(TACHO_KIND_STRING, 1, 0)
#define BYTES_TYPE  TACHO_TYPE(TACHO_KIND_BYTES, 1, 0)

static const struct tacho_field procname_fields[] = { { "procname", STRING_TYPE, 0 } };
static const struct tacho_field bin_info_fields[] = {
	{ "baddr", POINTER_TYPE, 0 },     { "memsz", NUMBER_TYPE, 0 },
	{ "path", STRING_TYPE, 0 },       { "is_pic", BYTE_TYPE, 0 },
	{ "has_build_id", BYTE_TYPE, 0 }, { "has_debug_link", BYTE_TYPE, 0 },
};
static const struct tacho_field build_id_fields[] = {
	{ "baddr", POINTER_TYPE, 0 },
	{ "build_id", BYTES_TYPE, 0 },
};

/*
 * An object without a list: these events are not the program's, and are in no list of events before
 * one of them is recorded.
 */
static struct tacho_object home = { TACHO_ABI_VERSION, TACHO_STATE_STALE, NULL, NULL, { 0 } };

#define EVENT(name, fields, count)                                                                 \
	static const struct tacho_event_info name##_info = {                                       \
		RULE_DUMP, #name, fields, count, TACHO_LEVEL_DEBUG_LINE, __FILE__, __LINE__, 0,     \
	};                                                                                         \
	static struct tacho_event name##_event = {                                                 \
		&home.unregistered,                                                                \
		(struct tacho_hot *)home.no_hot,                                                   \
		&name##_info,                                                                      \
		NULL,                                                                              \
	}

EVENT(start, NULL, 0);
EVENT(procname, procname_fields, 1);
EVENT(bin_info, bin_info_fields, 6);
EVENT(build_id, build_id_fields, 2);
EVENT(end, NULL, 0);

/* What is read and worked with; in a mapping, as stacks are small. */
struct work {
	int memory_fd;
	bool has_image;
	struct statedump_image image;
	uint32_t used_bytes; /* of the text: what of the last line is there already */
	char text[2 * STATEDUMP_PATH_BYTES];
};

/* ---- recording ---- */

static void record_procname(void)
{
	char name[PROCNAME_BYTES + 1] = "";
	struct tacho_part part = { name, 0, 1 };

	sys_thread_name(name);
	part.bytes = (uint32_t)strlen(name);
	tacho_emit_parts(&procname_event, &part, 1);
}

static void record_build_id(const struct statedump_image *image)
{
	struct {
		void *begin;
		uint32_t bytes;
	} head = { (void *)image->begin, image->build_id_bytes };
	struct tacho_part parts[] = {
		{ &head, offsetof(__typeof__(head), bytes) + sizeof(head.bytes), 0 },
		{ image->build_id, image->build_id_bytes, 0 },
	};

	tacho_emit_parts(&build_id_event, parts, 2);
}

static void record_image(const struct statedump_image *image)
{
	struct {
		void *begin;
		uint64_t bytes;
	} head = { (void *)image->begin, image->end - image->begin };
	uint8_t facts[] = { image->is_pic, image->build_id_bytes > 0, 0 };
	struct tacho_part parts[] = {
		{ &head, offsetof(__typeof__(head), bytes) + sizeof(head.bytes), 0 },
		{ image->path, (uint32_t)strlen(image->path), 1 },
		{ facts, sizeof(facts), 0 },
	};

	tacho_emit_parts(&bin_info_event, parts, 3);
	if (image->build_id_bytes)
		record_build_id(image);
}

/* ---- /proc/self/maps ---- */

struct line {
	uint64_t begin;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	bool is_executable;
	const char *path;
};

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

/* The number, and what ends it is skipped. */
static uint64_t number(const char **p, unsigned int base)
{
	uint64_t value = 0;

	for (; digit_of(**p) < base; (*p)++)
		value = value * base + digit_of(**p);
	if (**p)
		(*p)++;
	return value;
}

/* @p: without its newline. 55d0c0a00000-55d0c0a21000 r-xp 00001000 fe:01 1234      /bin/true */
static struct line parse(const char *p)
{
	struct line line = { .begin = number(&p, 16) };

	line.end = number(&p, 16);
	line.is_executable = p[0] && p[1] && p[2] == 'x';
	p += strcspn(p, " ");
	p += strspn(p, " ");
	line.offset = number(&p, 16);
	number(&p, 16);
	number(&p, 16);
	line.inode = number(&p, 10);
	p += strspn(p, " ");
	line.path = p;
	return line;
}

static void finish_image(struct work *w)
{
	struct statedump_image *image = &w->image;

	if (w->has_image && image->is_executable && statedump_describe(w->memory_fd, image))
		record_image(image);
	w->has_image = false;
}

static void begin_image(struct work *w, const struct line *line)
{
	struct statedump_image *image = &w->image;
	size_t bytes = strnlen(line->path, sizeof(image->path) - 1);

	w->has_image = true;
	image->begin = line->begin;
	image->end = line->end;
	image->inode = line->inode;
	image->is_executable = line->is_executable;
	memcpy(image->path, line->path, bytes);
	image->path[bytes] = 0;
}

static void take_line(struct work *w, const char *text)
{
	struct line line = parse(text);

	if (w->has_image && line.inode && line.inode == w->image.inode && line.offset) {
		w->image.is_executable |= line.is_executable;
		return;
	}
	if (!*line.path && w->has_image) /* room for what is zero in the file before */
		return;
	finish_image(w);
	if (*line.path == '/' && !line.offset)
		begin_image(w, &line);
	else if (!strcmp(line.path, "[vdso]"))
		begin_image(
			w, &(struct line){ line.begin, line.end, 0, 0, true, "[linux-vdso.so.1]" });
}

/* A line that is longer than any path is left out. */
static void take_lines(struct work *w)
{
	char *begin = w->text, *newline;

	while ((newline = memchr(begin, '\n', (size_t)(w->text + w->used_bytes - begin)))) {
		*newline = 0;
		take_line(w, begin);
		begin = newline + 1;
	}
	w->used_bytes -= (uint32_t)(begin - w->text);
	memmove(w->text, begin, w->used_bytes);
	if (w->used_bytes == sizeof(w->text))
		w->used_bytes = 0;
}

static void record_images(struct work *w)
{
	int fd = sys_open("/proc/self/maps", O_RDONLY, 0);
	long n;

	if (fd < 0)
		return;
	while ((n = sys_read(fd, w->text + w->used_bytes, sizeof(w->text) - w->used_bytes)) > 0) {
		w->used_bytes += (uint32_t)n;
		take_lines(w);
	}
	finish_image(w);
	sys_close(fd);
}

/* ---- when ---- */

static void dump(void)
{
	struct work *w = sys_map(NULL, sizeof(*w), true, -1);

	if (!w)
		return;
	w->memory_fd = sys_open("/proc/self/mem", O_RDONLY, 0);
	tacho_emit_word(&start_event, 0, 0);
	record_procname();
	if (w->memory_fd >= 0) {
		record_images(w);
		sys_close(w->memory_fd);
	}
	tacho_emit_word(&end_event, 0, 0);
	sys_unmap(w, sizeof(*w));
}

static void dump_if_asked(const struct tacho_session *session)
{
	if (tacho_thread.in_vfork || !rule_asks_for_dump(session))
		return;
	if (tacho_libs_dump)
		tacho_libs_dump();
	else
		dump();
}

void statedump_attached(const struct attachment *a)
{
	dump_if_asked(a->session);
}

void statedump_refreshed(struct attachment *a)
{
	uint32_t wanted = tacho_load_relaxed(&a->session->dump_wanted); /* dump:D */
	uint32_t done = tacho_load_relaxed(&a->dump_done);

	if (wanted != done && tacho_cmpxchg_acq_rel(&a->dump_done, &done, wanted))
		dump_if_asked(a->session);
}

/* libtacho-libs.so knows of forks itself. */
void statedump_reborn(void)
{
	for (uint32_t slot = 0; slot < TACHO_SLOTS && !tacho_libs_dump; slot++) {
		const struct attachment *a = tacho_load_acquire(&tacho_tracer.attached[slot]);

		if (a && rule_asks_for_dump(a->session)) {
			dump();
			return;
		}
	}
}
