/* SPDX-License-Identifier: MIT */
/*
 * fields.h - the fields of an event, in both spellings. Not for direct use: include
 * <lttng/tracepoint.h>.
 *
 * A field is written as a tuple, so that one list of them can be made several things of:
 *
 *	ctf_integer(int, size, n) ctf_string(name, s)
 *	-> (WRITE, INTEGER, int, "size", n, 0) (WRITE, STRING, "name", s)
 *
 * with a prefix to each of the first two words. The field's name becomes a string here and now,
 * before it is expanded: fields may be called errno or true. probe.h goes through the list.
 */
#ifndef LTTNG_TACHO_FIELDS_H
#define LTTNG_TACHO_FIELDS_H

#define TACHO_TP_NETWORK_HEX_ (TACHO_FLAG_NETWORK | TACHO_FLAG_HEX)
/* Text of wider characters is numbers, to readers. */
#define TACHO_TP_CHAR_(type) (sizeof(type) == 1 ? TACHO_FLAG_CHAR : 0)

#define lttng_ust_field_integer(type, name, value)                                                 \
	(TACHO_TP_WRITE_, TACHO_TP_INTEGER_, type, #name, value, 0)
#define lttng_ust_field_integer_nowrite(type, name, value)                                         \
	(TACHO_TP_HIDE_, TACHO_TP_INTEGER_, type, #name, value, 0)
#define lttng_ust_field_integer_hex(type, name, value)                                             \
	(TACHO_TP_WRITE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_FLAG_HEX)
#define lttng_ust_field_integer_nowrite_hex(type, name, value)                                     \
	(TACHO_TP_HIDE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_FLAG_HEX)
#define lttng_ust_field_integer_network(type, name, value)                                         \
	(TACHO_TP_WRITE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_FLAG_NETWORK)
#define lttng_ust_field_integer_network_nowrite(type, name, value)                                 \
	(TACHO_TP_HIDE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_FLAG_NETWORK)
#define lttng_ust_field_integer_network_hex(type, name, value)                                     \
	(TACHO_TP_WRITE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_TP_NETWORK_HEX_)
#define lttng_ust_field_integer_network_nowrite_hex(type, name, value)                             \
	(TACHO_TP_HIDE_, TACHO_TP_INTEGER_, type, #name, value, TACHO_TP_NETWORK_HEX_)

#define lttng_ust_field_float(type, name, value)                                                   \
	(TACHO_TP_WRITE_, TACHO_TP_FLOAT_, type, #name, value)
#define lttng_ust_field_float_nowrite(type, name, value)                                           \
	(TACHO_TP_HIDE_, TACHO_TP_FLOAT_, type, #name, value)
#define lttng_ust_field_string(name, value) (TACHO_TP_WRITE_, TACHO_TP_STRING_, #name, value)
#define lttng_ust_field_string_nowrite(name, value) (TACHO_TP_HIDE_, TACHO_TP_STRING_, #name, value)
#define lttng_ust_field_enum(provider, labels, type, name, value)                                  \
	(TACHO_TP_WRITE_, TACHO_TP_ENUM_, provider, labels, type, #name, value)
#define lttng_ust_field_enum_nowrite(provider, labels, type, name, value)                          \
	(TACHO_TP_HIDE_, TACHO_TP_ENUM_, provider, labels, type, #name, value)
#define lttng_ust_field_unused(value) (TACHO_TP_WRITE_, TACHO_TP_UNUSED_, value)
#define lttng_ust_field_unused_nowrite(value) (TACHO_TP_HIDE_, TACHO_TP_UNUSED_, value)

#define lttng_ust_field_array(type, name, data, count)                                             \
	(TACHO_TP_WRITE_, TACHO_TP_ARRAY_, type, #name, data, count, 0)
#define lttng_ust_field_array_nowrite(type, name, data, count)                                     \
	(TACHO_TP_HIDE_, TACHO_TP_ARRAY_, type, #name, data, count, 0)
#define lttng_ust_field_array_hex(type, name, data, count)                                         \
	(TACHO_TP_WRITE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_FLAG_HEX)
#define lttng_ust_field_array_nowrite_hex(type, name, data, count)                                 \
	(TACHO_TP_HIDE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_FLAG_HEX)
#define lttng_ust_field_array_network(type, name, data, count)                                     \
	(TACHO_TP_WRITE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_FLAG_NETWORK)
#define lttng_ust_field_array_network_nowrite(type, name, data, count)                             \
	(TACHO_TP_HIDE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_FLAG_NETWORK)
#define lttng_ust_field_array_network_hex(type, name, data, count)                                 \
	(TACHO_TP_WRITE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_TP_NETWORK_HEX_)
#define lttng_ust_field_array_network_nowrite_hex(type, name, data, count)                         \
	(TACHO_TP_HIDE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_TP_NETWORK_HEX_)
#define lttng_ust_field_array_text(type, name, data, count)                                        \
	(TACHO_TP_WRITE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_TP_CHAR_(type))
#define lttng_ust_field_array_text_nowrite(type, name, data, count)                                \
	(TACHO_TP_HIDE_, TACHO_TP_ARRAY_, type, #name, data, count, TACHO_TP_CHAR_(type))

#define lttng_ust_field_sequence(type, name, data, count_type, count)                              \
	(TACHO_TP_WRITE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, 0)
#define lttng_ust_field_sequence_nowrite(type, name, data, count_type, count)                      \
	(TACHO_TP_HIDE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, 0)
#define lttng_ust_field_sequence_hex(type, name, data, count_type, count)                          \
	(TACHO_TP_WRITE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_FLAG_HEX)
#define lttng_ust_field_sequence_nowrite_hex(type, name, data, count_type, count)                  \
	(TACHO_TP_HIDE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_FLAG_HEX)
#define lttng_ust_field_sequence_network(type, name, data, count_type, count)                      \
	(TACHO_TP_WRITE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_FLAG_NETWORK)
#define lttng_ust_field_sequence_network_nowrite(type, name, data, count_type, count)              \
	(TACHO_TP_HIDE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_FLAG_NETWORK)
#define lttng_ust_field_sequence_network_hex(type, name, data, count_type, count)                  \
	(TACHO_TP_WRITE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_TP_NETWORK_HEX_)
#define lttng_ust_field_sequence_network_nowrite_hex(type, name, data, count_type, count)          \
	(TACHO_TP_HIDE_, TACHO_TP_SEQUENCE_, type, #name, data, count_type, count, TACHO_TP_NETWORK_HEX_)
#define lttng_ust_field_sequence_text(type, name, data, count_type, count)                         \
	(TACHO_TP_WRITE_, TACHO_TP_TEXT_, type, #name, data, count_type, count)
#define lttng_ust_field_sequence_text_nowrite(type, name, data, count_type, count)                 \
	(TACHO_TP_HIDE_, TACHO_TP_TEXT_, type, #name, data, count_type, count)

/* Labels of values are rows of a table (struct tacho_label). */
#define lttng_ust_field_enum_value(label, value)                                                   \
	{(label), TACHO_TP_LABEL_VALUE_(value), TACHO_TP_LABEL_VALUE_(value), 0},
#define lttng_ust_field_enum_range(label, low, high)                                               \
	{(label), TACHO_TP_LABEL_VALUE_(low), TACHO_TP_LABEL_VALUE_(high), 0},
#define lttng_ust_field_enum_auto(label) {(label), 0, 0, 1},
#define TACHO_TP_LABEL_VALUE_(value) (uint64_t)(value)

#if LTTNG_UST_COMPAT_API(0)
#define ctf_integer                         lttng_ust_field_integer
#define ctf_integer_nowrite                 lttng_ust_field_integer_nowrite
#define ctf_integer_hex                     lttng_ust_field_integer_hex
#define ctf_integer_nowrite_hex             lttng_ust_field_integer_nowrite_hex
#define ctf_integer_network                 lttng_ust_field_integer_network
#define ctf_integer_network_nowrite         lttng_ust_field_integer_network_nowrite
#define ctf_integer_network_hex             lttng_ust_field_integer_network_hex
#define ctf_integer_network_nowrite_hex     lttng_ust_field_integer_network_nowrite_hex
#define ctf_float                           lttng_ust_field_float
#define ctf_float_nowrite                   lttng_ust_field_float_nowrite
#define ctf_string                          lttng_ust_field_string
#define ctf_string_nowrite                  lttng_ust_field_string_nowrite
#define ctf_enum                            lttng_ust_field_enum
#define ctf_enum_nowrite                    lttng_ust_field_enum_nowrite
#define ctf_unused                          lttng_ust_field_unused
#define ctf_unused_nowrite                  lttng_ust_field_unused_nowrite
#define ctf_array                           lttng_ust_field_array
#define ctf_array_nowrite                   lttng_ust_field_array_nowrite
#define ctf_array_hex                       lttng_ust_field_array_hex
#define ctf_array_nowrite_hex               lttng_ust_field_array_nowrite_hex
#define ctf_array_network                   lttng_ust_field_array_network
#define ctf_array_network_nowrite           lttng_ust_field_array_network_nowrite
#define ctf_array_network_hex               lttng_ust_field_array_network_hex
#define ctf_array_network_nowrite_hex       lttng_ust_field_array_network_nowrite_hex
#define ctf_array_text                      lttng_ust_field_array_text
#define ctf_array_text_nowrite              lttng_ust_field_array_text_nowrite
#define ctf_sequence                        lttng_ust_field_sequence
#define ctf_sequence_nowrite                lttng_ust_field_sequence_nowrite
#define ctf_sequence_hex                    lttng_ust_field_sequence_hex
#define ctf_sequence_nowrite_hex            lttng_ust_field_sequence_nowrite_hex
#define ctf_sequence_network                lttng_ust_field_sequence_network
#define ctf_sequence_network_nowrite        lttng_ust_field_sequence_network_nowrite
#define ctf_sequence_network_hex            lttng_ust_field_sequence_network_hex
#define ctf_sequence_network_nowrite_hex    lttng_ust_field_sequence_network_nowrite_hex
#define ctf_sequence_text                   lttng_ust_field_sequence_text
#define ctf_sequence_text_nowrite           lttng_ust_field_sequence_text_nowrite
#define ctf_enum_value                      lttng_ust_field_enum_value
#define ctf_enum_range                      lttng_ust_field_enum_range
#define ctf_enum_auto                       lttng_ust_field_enum_auto
#endif

#endif
