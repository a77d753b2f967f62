/* SPDX-License-Identifier: MIT */
/*
 * wants.h - options that several commands share, made into what the library takes. Each says what
 * is wrong itself.
 *
 * Return: exit status; STATUS_DONE only when the output is set.
 */
#ifndef TACHO_CLI_WANTS_H
#define TACHO_CLI_WANTS_H

#include "cmd.h"
#include "session/session.h"

/* --buffer; @text NULL: the default. */
int wants_buffer(const struct command *command, const char *text, uint64_t *ret_bytes);

/* Another number of bytes, not 0; @option for messages. */
/* "ctf1" or "ctf2". NULL: nothing is set. */
int wants_format(const struct command *command, const char *text, uint32_t *ret_major);
int wants_size(const struct command *command, const char *option, const char *text,
	       uint64_t *ret_bytes);

/* A directory: its path, or file:///DIR, as lttng takes it. NULL stays NULL. */
int wants_directory(const struct command *command, const char *text, const char **ret_path);
/* wants_is_url() - does it begin like file:// and net://? */
bool wants_is_url(const char *text);

/* A time, not 0; @unit_ns: of a number alone. */
int wants_duration(const struct command *command, const char *option, const char *text,
		   uint64_t unit_ns, uint64_t *ret_ns);

/* --blocking-timeout: the channel blocks, so long. */
int wants_blocking(const struct command *command, const char *text,
		   struct channel_options *ret_channel);

/* --loglevel and --loglevel-only; at most one of them is not NULL. */
int wants_level(const struct command *command, const char *at_least, const char *only,
		struct rule_options *ret_rule);

/* A pattern of events: not empty, and not longer than a rule can hold. Warns of characters that
 * mean something elsewhere, and themselves here. */
int wants_pattern(const struct command *command, const char *pattern);

/* --filter: an expression, of which a mistake is shown with a caret below it. A counter that it names
 * may be one that the session does not have: that is for the library to say. */
int wants_filter(const struct command *command, const char *text);

/* What each CPU's ring of the first channel holds. */
uint64_t session_buffer_bytes(const struct tacho_session *file);

#endif
