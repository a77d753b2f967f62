/* SPDX-License-Identifier: MIT */
#include "metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "ctf/read/ctf2.h"
#include "ctf/read/trace.h"
#include "ctf2.h"
#include "metadata_text.h"

/* Hidden: readers take every other file of the directory for a stream. */
#define TEMPORARY ".metadata.new"
/* As much of a metadata file as holds the trace's UUID and who wrote it. */
#define HEAD_BYTES 8192

static void print_trace(FILE *out, const struct ctf_trace_info *info)
{
	char uuid[METADATA_UUID_TEXT_BYTES];

	metadata_uuid_format(info->uuid, uuid);
	fprintf(out,
		"/* CTF 1.8 */\n\n"
		"trace {\n"
		"\tmajor = 1;\n"
		"\tminor = 8;\n"
		"\tuuid = \"%s\";\n"
		"\tbyte_order = %s;\n"
		"\tpacket.header := struct {\n"
		"\t\tinteger { size = 32; align = 8; signed = false; base = hex; } magic;\n"
		"\t\tinteger { size = 8; align = 8; signed = false; } uuid[16];\n"
		"\t\tinteger { size = 32; align = 8; signed = false; } stream_id;\n"
		"\t\tinteger { size = 64; align = 8; signed = false; } stream_instance_id;\n"
		"\t};\n"
		"};\n\n",
		uuid, TACHO_BIG_ENDIAN ? "be" : "le");
}

static void print_env_text(FILE *out, const char *name, const char *value)
{
	fprintf(out, "\t%s = \"", name);
	metadata_print_text(out, value);
	fputs("\";\n", out);
}

static void print_env_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, "\t%s = %" PRIu64 ";\n", name, value);
}

static void print_env_version(FILE *out)
{
	unsigned int major = 0, minor = 0, patch = 0;

	sscanf(TACHO_VERSION, "%u.%u.%u", &major, &minor, &patch);
	print_env_number(out, "tracer_major", major);
	print_env_number(out, "tracer_minor", minor);
	print_env_number(out, "tracer_patchlevel", patch);
}

/* ISO 8601, basic format, in UTC. */
static void print_env_created(FILE *out, uint64_t created_ns)
{
	time_t seconds = (time_t)(created_ns / 1000000000);
	char text[64] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y%m%dT%H%M%S+0000", &tm);
	print_env_text(out, "trace_creation_datetime", text);
}

static void print_env(FILE *out, const struct ctf_trace_info *info)
{
	bool is_kernel = info->domain == TACHO_DOMAIN_KERNEL;

	fputs("env {\n", out);
	print_env_text(out, "hostname", info->hostname);
	print_env_text(out, "domain", is_kernel ? "kernel" : "ust");
	print_env_text(out, "tracer_name", "tacho");
	print_env_version(out);
	if (!is_kernel) {
		print_env_text(out, "tracer_buffering_scheme", "uid");
		print_env_number(out, "tracer_buffering_id", info->uid);
		print_env_number(out, "architecture_bit_width", 64);
	}
	print_env_text(out, "trace_name", info->session_name);
	print_env_created(out, info->created_ns);
	print_env_text(out, "sysname", info->sysname);
	print_env_text(out, "kernel_release", info->kernel_release);
	print_env_text(out, "kernel_version", info->kernel_version);
	print_env_text(out, "machine", info->machine);
	fputs("};\n\n", out);
}

static void print_clock(FILE *out, const struct ctf_trace_info *info, const struct ctf_clock *clock)
{
	static const uint8_t unknown[CTF_UUID_BYTES];
	char uuid[METADATA_UUID_TEXT_BYTES];

	fputs("clock {\n\tname = \"monotonic\";\n", out);
	if (memcmp(info->boot_uuid, unknown, sizeof(unknown))) {
		metadata_uuid_format(info->boot_uuid, uuid);
		fprintf(out, "\tuuid = \"%s\";\n", uuid);
	}
	fprintf(out,
		"\tdescription = \"counter of the CPU, or monotonic clock\";\n"
		"\tfreq = %" PRIu64 ";\n"
		"\toffset_s = %" PRId64 ";\n"
		"\toffset = %" PRIu64 ";\n"
		"};\n\n",
		clock->freq_hz, clock->offset_s, clock->offset_cycles);
}

/*
 * The headers of format/record.h and ctf/packet.h. The id of a medium header is not said to be
 * aligned, though it is: a structure is aligned as its fields are, so it would begin a byte later.
 */
static void print_layout(FILE *out)
{
	fputs("typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	      "typealias integer { size = 16; align = 1; signed = false; } := unaligned_uint16_t;\n"
	      "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	      "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	      "typealias integer { size = 27; align = 1; signed = false;\n"
	      "\tmap = clock.monotonic.value; } := uint27_clock_t;\n"
	      "typealias integer { size = 64; align = 8; signed = false;\n"
	      "\tmap = clock.monotonic.value; } := uint64_clock_t;\n\n"
	      "struct packet_context {\n"
	      "\tuint64_t content_size;\n"
	      "\tuint64_t packet_size;\n"
	      "\tuint64_clock_t timestamp_begin;\n"
	      "\tuint64_clock_t timestamp_end;\n"
	      "\tuint64_t packet_seq_num;\n"
	      "\tuint64_t events_discarded;\n"
	      "\tuint32_t cpu_id;\n"
	      "};\n\n"
	      "struct event_header {\n"
	      "\tenum : uint5_t { compact = 0 ... 28, medium = 30, extended = 31 } id;\n"
	      "\tvariant <id> {\n"
	      "\t\tstruct { uint27_clock_t timestamp; } compact;\n"
	      "\t\tstruct { uint27_clock_t timestamp; unaligned_uint16_t id; } medium;\n"
	      "\t\tstruct { uint32_t id; uint64_clock_t timestamp; } extended;\n"
	      "\t} v;\n"
	      "} align(8);\n\n",
	      out);
}

static void print_stream(FILE *out, const struct ctf_channel *channel)
{
	fputs("/* channel: \"", out);
	metadata_print_text(out, channel->name);
	fprintf(out,
		"\" */\n"
		"stream {\n"
		"\tid = %" PRIu32 ";\n"
		"\tevent.header := struct event_header;\n"
		"\tpacket.context := struct packet_context;\n"
		"};\n\n",
		channel->stream_id);
}

static int print_writer_event(FILE *out, uint32_t stream_id)
{
	static const struct event_field fields[] = {
		{ "pid", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 },
		{ "tid", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 },
		{ "name", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	};
	static const struct event_desc desc = {
		.provider = "tacho",
		.name = "writer",
		.file = "",
		.level = TACHO_LEVEL_DEBUG_LINE,
		.field_count = 3,
		.fields = fields,
	};
	const struct ctf_event_class event = { .id = TACHO_ID_WRITER, .desc = &desc };

	return metadata_print_event(out, &event, NULL, stream_id);
}

/* A channel's stream and, as ids are the session's, every event in it. */
static int print_channel(FILE *out, const struct ctf_channel *channel,
			 const struct ctf_schema *schema)
{
	int err;

	print_stream(out, channel);
	err = print_writer_event(out, channel->stream_id);
	for (size_t i = 0; i < schema->event_count && !err; i++)
		if (schema->events[i].id != TACHO_ID_WRITER)
			err = metadata_print_event(out, &schema->events[i], schema->perf,
						   channel->stream_id);
	return err;
}

int metadata_print(FILE *out, const struct ctf_trace_info *info, const struct ctf_schema *schema)
{
	int err = 0;

	print_trace(out, info);
	print_env(out, info);
	print_clock(out, info, &schema->clock);
	print_layout(out);
	for (size_t i = 0; i < schema->channel_count && !err; i++)
		err = print_channel(out, &schema->channels[i], schema);
	return err;
}

/* The whole text in memory first: a full disk is then found by one write(). */
static int print_to_memory(const struct ctf_trace_info *info, const struct ctf_schema *schema,
			   char **ret_text, size_t *ret_bytes)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int err;

	if (!out)
		return -ENOMEM;
	err = metadata_print(out, info, schema);
	if (ferror(out))
		err = -ENOMEM;
	/* Where fclose() cannot cut the text's memory to its size, glibc loses it and says nothing. */
	if (fclose(out) || !text)
		err = -ENOMEM;
	if (err) {
		free(text);
		return err;
	}
	*ret_text = text;
	*ret_bytes = bytes;
	return 0;
}

/* The same in CTF 2. @text is changed. */
static int print_ctf2(char *text, size_t bytes, char **ret_text, size_t *ret_bytes)
{
	struct read_trace *trace;
	FILE *out;
	int err = read_trace_parse(text, bytes, NULL, &trace);

	if (!trace)
		return err;
	out = err ? NULL : open_memstream(ret_text, ret_bytes);
	if (out) {
		err = ctf2_write(out, trace);
		if (ferror(out) && !err)
			err = -ENOMEM;
		if (fclose(out) && !err)
			err = -ENOMEM;
		if (err)
			free(*ret_text);
	} else if (!err) {
		err = -ENOMEM;
	}
	read_trace_free(trace);
	return err;
}

static int to_ctf2(char **text, size_t *bytes)
{
	size_t new_bytes = 0;
	char *new_text = NULL;
	int err = print_ctf2(*text, *bytes, &new_text, &new_bytes);

	free(*text);
	*text = new_text;
	*bytes = new_bytes;
	return err;
}

static int write_temporary(int dir_fd, const char *text, size_t bytes)
{
	int fd = file_open_at(dir_fd, TEMPORARY, O_WRONLY | O_CREAT | O_TRUNC, CTF_FILE_MODE);
	int err;

	if (fd < 0)
		return fd;
	err = file_write_at(fd, text, bytes, 0);
	close(fd);
	return err;
}

int metadata_write(int dir_fd, const struct ctf_trace_info *info, const struct ctf_schema *schema)
{
	char *text;
	size_t bytes;
	int err = print_to_memory(info, schema, &text, &bytes);

	if (!err && info->ctf_major == 2)
		err = to_ctf2(&text, &bytes);
	if (err)
		return err;
	err = write_temporary(dir_fd, text, bytes);
	free(text);
	if (!err && renameat(dir_fd, TEMPORARY, dir_fd, "metadata"))
		err = -errno;
	if (err)
		unlinkat(dir_fd, TEMPORARY, 0);
	return err;
}

/* In CTF 2: the preamble comes first. */
static int find_numbers(const char *text, uint8_t ret_uuid[CTF_UUID_BYTES])
{
	static const char key[] = "\"uuid\":[";
	const char *at = strstr(text, key);
	uint8_t uuid[CTF_UUID_BYTES];

	if (!at || !strstr(at, "\"tracer_name\":\"tacho\""))
		return -EBADMSG;
	at += sizeof(key) - 1;
	for (size_t i = 0; i < CTF_UUID_BYTES; i++) {
		char *end;
		unsigned long byte = strtoul(at, &end, 10);

		if (end == at || byte > UINT8_MAX || *end != (i + 1 < CTF_UUID_BYTES ? ',' : ']'))
			return -EBADMSG;
		uuid[i] = (uint8_t)byte;
		at = end + 1;
	}
	memcpy(ret_uuid, uuid, sizeof(uuid));
	return 0;
}

static int find_uuid(const char *text, uint8_t ret_uuid[CTF_UUID_BYTES])
{
	static const char key[] = "\tuuid = \"";
	const char *at = strstr(text, key);

	/* The first is the trace's: print_trace() comes first. */
	if (!at || !strstr(at, "\ttracer_name = \"tacho\";"))
		return -EBADMSG;
	return metadata_uuid_parse(at + sizeof(key) - 1, ret_uuid);
}

int metadata_read_uuid(int dir_fd, uint8_t ret_uuid[CTF_UUID_BYTES])
{
	char text[HEAD_BYTES + 1];
	int fd = file_open_at(dir_fd, "metadata", O_RDONLY, 0);
	ssize_t bytes;

	if (fd < 0)
		return fd;
	bytes = file_read_at(fd, text, HEAD_BYTES, 0);
	close(fd);
	if (bytes < 0)
		return (int)bytes;
	text[bytes] = 0;
	return text[0] == CTF2_SEPARATOR ? find_numbers(text, ret_uuid) : find_uuid(text, ret_uuid);
}
