/* SPDX-License-Identifier: MIT */
#include "list_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "cmd.h"
#include "elf/events.h"
#include "event_show.h"
#include "say.h"
#include "text.h"

bool list_is_path(const char *name)
{
	return strchr(name, '/');
}

bool list_is_program(const char *name)
{
	int fd = file_open_linked_at(AT_FDCWD, name, O_RDONLY, 0);
	char magic[SELFMAG];
	bool is_elf = fd >= 0 && !fd_read_at(fd, magic, sizeof(magic), 0) &&
		      !memcmp(magic, ELFMAG, SELFMAG);

	fd_close(fd);
	return is_elf;
}

/* What its level is, nobody knows here. */
static void print_unbound(const struct event_desc *desc)
{
	char *name = event_show_name(desc);
	char *file = printable(desc->file);

	printf("      %s at %s:%u; its level and fields are in another file\n", name, file,
	       desc->line);
	free(file);
	free(name);
}

static void print_event(const struct elf_event *event)
{
	if (event->is_unbound) {
		print_unbound(event->desc);
		return;
	}
	event_show_head(event->desc);
	putchar('\n');
	event_show_fields(event->desc);
}

static void print_text(const char *path, const struct elf_events *events)
{
	char *name = printable(path);

	printf("%s  %s event%s\n", name, count_text(events->count).text,
	       events->count == 1 ? "" : "s");
	free(name);
	for (size_t i = 0; i < events->count; i++)
		print_event(&events->event[i]);
}

static void add_event(json_object *list, const struct elf_event *event)
{
	json_object *entry = json_append_object(list);

	event_show_json_head(event->desc, entry);
	if (event->is_unbound)
		json_add_text(entry, "level", "");
	json_add_bool(entry, "fields_elsewhere", event->is_unbound);
	event_show_json_fields(event->desc, entry);
}

static int print_json(const struct elf_image *image, const struct elf_events *events)
{
	json_object *root = json_object_new_object();
	json_object *file = json_add_object(root, "file");
	json_object *list;

	json_add_text(file, "path", elf_image_name(image));
	json_add_text(file, "machine", elf_image_machine(image));
	list = json_add_array(file, "events");
	for (size_t i = 0; i < events->count; i++)
		add_event(list, &events->event[i]);
	return json_print(root);
}

static int list_image(struct elf_image *image, bool as_json)
{
	struct tacho_error error;
	struct elf_events events;
	int status = STATUS_DONE;

	if (elf_events_read(image, &events, &error))
		return fail_with(&error);
	if (as_json)
		status = print_json(image, &events);
	else
		print_text(elf_image_name(image), &events);
	elf_events_free(&events);
	return status;
}

int list_file(const char *path, bool as_json)
{
	struct tacho_error error;
	struct elf_image *image;
	int status;

	if (elf_image_open(path, &image, &error))
		return fail_with(&error);
	status = list_image(image, as_json);
	elf_image_close(image);
	return status;
}
