/* SPDX-License-Identifier: MIT */
/* trace_output.c - see trace_output.h */
#include "session/drain/trace_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "session/state.h"

/* The clock's estimate gets better with the time since the session was created: it is renewed when
 * that time has doubled, from this on. */
#define REFINE_FIRST_NS 1000000000ull

int trace_output_open_events(const struct session *session, struct trace_output *ret_output,
			     struct tacho_error *error)
{
	int ret;

	*ret_output = (struct trace_output){ .session = session };
	ret_output->carrier = &ret_output->own_carrier;
	ret_output->damaged = &ret_output->own_damaged;
	ret = event_table_open(session->dir_fd, &ret_output->events, error);
	if (!ret && event_table_refresh(&ret_output->events) < 0)
		ret = error_set(error, -EIO, "cannot read the session's event table");
	return ret;
}

static int open_trace(const struct trace_output *output, enum tacho_domain domain,
		      const uint8_t *uuid, struct ctf_trace **ret_trace, struct tacho_error *error)
{
	const struct tacho_session *file = output->session->file;
	struct ctf_trace_info info;
	int ret = ctf_trace_info_init(&info, file->name, geteuid(),
				      file->clock_at_create.realtime_ns);

	if (ret)
		return error_set(error, ret, "cannot describe this machine: %s", strerror(-ret));
	memcpy(info.boot_uuid, file->boot_uuid, sizeof(info.boot_uuid));
	info.domain = domain;
	info.ctf_major = file->ctf_major;
	if (uuid)
		memcpy(info.uuid, uuid, sizeof(info.uuid));
	return ctf_trace_open(output->dir, &info, ret_trace, error);
}

int trace_output_open(const struct session *session, const char *dir, const uint8_t *uuid,
		      struct trace_output *ret_output, struct tacho_error *error)
{
	int ret = trace_output_open_events(session, ret_output, error);

	if (!ret && str_copy(ret_output->dir, sizeof(ret_output->dir), dir))
		ret = error_set(error, -ENAMETOOLONG, "the path of the trace is too long: %s", dir);
	if (!ret)
		ret = open_trace(ret_output, TACHO_DOMAIN_USER, uuid, &ret_output->trace, error);
	if (ret)
		trace_output_close(ret_output);
	return ret;
}

int trace_output_open_past(const struct session *session, const char *dir,
			   struct trace_output *ret_output, struct tacho_error *error)
{
	int ret = trace_output_open(session, dir, NULL, ret_output, error);

	ret_output->is_of_past = true;
	return ret;
}

void trace_output_close(struct trace_output *output)
{
	ctf_trace_close(output->trace);
	ctf_trace_close(output->kernel);
	output->trace = NULL;
	output->kernel = NULL;
	event_table_close(&output->events);
}

static int fit_clock(struct trace_output *output, struct ctf_clock *ret_clock)
{
	const struct tacho_session *file = output->session->file;
	struct tacho_clock_tuple tuple[2] = { file->clock_at_create };
	uint64_t age_ns;
	int ret;

	if (output->is_of_past)
		return ctf_clock_fit(file->clock_kind, tuple, 1, file->counter_hz, ret_clock);
	ret = ctf_clock_sample(file->clock_kind, &tuple[1]);
	if (ret)
		return ret;
	age_ns = tuple[1].monotonic_ns - tuple[0].monotonic_ns;
	if (age_ns < REFINE_FIRST_NS)
		age_ns = REFINE_FIRST_NS;
	output->refine_at_ns = tuple[1].monotonic_ns + age_ns;
	return ctf_clock_fit(file->clock_kind, tuple, 2, file->counter_hz, ret_clock);
}

static uint32_t count_channels(const struct tacho_session *file)
{
	uint32_t count = tacho_load_acquire(&file->channel_count);

	return count < TACHO_CHANNELS_MAX ? count : TACHO_CHANNELS_MAX;
}

static uint32_t list_channels(const struct tacho_session *file, enum tacho_domain domain,
			      struct ctf_channel *channels)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < count_channels(file); i++)
		if (file->channel[i].domain == domain)
			channels[count++] = (struct ctf_channel){ .name = file->channel[i].name,
								  .stream_id = i };
	return count;
}

static uint32_t list_events(const struct event_table *table, enum tacho_domain domain,
			    struct ctf_event_class *events)
{
	uint32_t count = 0;

	for (uint32_t id = TACHO_ID_FIRST; id < table->id_count; id++) {
		const struct event_desc *desc = event_table_get(table, id);

		if (desc && event_table_is_kernel(table, id) == (domain == TACHO_DOMAIN_KERNEL))
			events[count++] = (struct ctf_event_class){
				.id = id,
				.desc = desc,
				.contexts = event_table_contexts(table, id),
			};
	}
	return count;
}

static int write_to(struct trace_output *output, enum tacho_domain domain,
		    struct ctf_schema *schema, struct tacho_error *error)
{
	schema->channel_count = list_channels(output->session->file, domain, (void *)schema->channels);
	schema->event_count = list_events(&output->events, domain, (void *)schema->events);
	if (!schema->channel_count && output->kernel)
		return 0; /* the other one alone is a trace */
	return ctf_trace_metadata(domain == TACHO_DOMAIN_KERNEL ? output->kernel : output->trace,
				  schema, error);
}

/* The trace of the kernel's events is opened with its first channel. */
static int open_kernel(struct trace_output *output, struct tacho_error *error)
{
	const struct tacho_session *file = output->session->file;
	bool is_wanted = false;

	for (uint32_t i = 0; i < count_channels(file) && !file->mirror_of; i++)
		is_wanted |= file->channel[i].domain == TACHO_DOMAIN_KERNEL;
	if (!is_wanted || output->kernel)
		return 0;
	return open_trace(output, TACHO_DOMAIN_KERNEL, NULL, &output->kernel, error);
}

struct ctf_trace *trace_output_of(const struct trace_output *output, uint32_t channel)
{
	bool is_kernel = output->session->file->channel[channel].domain == TACHO_DOMAIN_KERNEL;

	return is_kernel ? output->kernel : output->trace;
}

static int write_metadata(struct trace_output *output, struct tacho_error *error)
{
	uint32_t channel_count = count_channels(output->session->file);
	struct ctf_channel channels[TACHO_CHANNELS_MAX];
	struct ctf_event_class *events = calloc(output->events.known_count + 1u, sizeof(*events));
	struct ctf_schema schema = {
		.channels = channels,
		.events = events,
		.perf = output->session->file->perf,
	};
	int ret;

	if (!events)
		return error_set(error, -ENOMEM, "no memory for the metadata of the trace");
	ret = fit_clock(output, &schema.clock);
	if (ret) {
		error_set(error, ret, "cannot read the session's clock: %s", strerror(-ret));
	} else {
		ret = open_kernel(output, error);
		if (!ret)
			ret = write_to(output, TACHO_DOMAIN_USER, &schema, error);
		if (!ret && output->kernel)
			ret = write_to(output, TACHO_DOMAIN_KERNEL, &schema, error);
	}
	free(events);
	output->has_metadata |= !ret;
	output->channel_count = channel_count;
	return ret;
}

int trace_output_learn(struct trace_output *output)
{
	int found = event_table_refresh(&output->events);

	if (found > 0)
		output->has_metadata = false;
	return found < 0 ? found : 0;
}

int trace_output_prepare(struct trace_output *output, struct tacho_error *error)
{
	int ret = trace_output_learn(output);

	if (ret)
		return error_set(error, ret, "cannot read the session's event table: %s",
				 strerror(-ret));
	if (output->channel_count != count_channels(output->session->file))
		output->has_metadata = false;
	return output->has_metadata ? 0 : write_metadata(output, error);
}

int trace_output_finish(struct trace_output *output, struct tacho_error *error)
{
	output->has_metadata = false;
	return trace_output_prepare(output, error);
}
