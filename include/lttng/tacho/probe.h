/* SPDX-License-Identifier: MIT */
/*
 * probe.h - the reading of a provider for its probes: the table of fields, the function that puts
 * them into a record, the info. Not for direct use: include <lttng/tracepoint.h>.
 *
 * A list of fields is gone through by two macros that take turns: each takes a tuple and leaves the
 * name of the other in front of the next; the last name gets _END behind it, which is nothing.
 */
#pragma GCC system_header

#undef TACHO_TP_EVENT_
#define TACHO_TP_EVENT_(provider, name, arguments, fields)                                         \
	TACHO_TP_DEFINE_CLASS_(provider##___##name, arguments, fields)                             \
	TACHO_TP_DEFINE_INFO_(provider##___##name, #provider, #name, provider##___##name)          \
	TACHO_TP_DEFINE_NEAR_(provider##___##name, provider##___##name, arguments)

#undef TACHO_TP_CLASS_
#define TACHO_TP_CLASS_(provider, name, arguments, fields)                                         \
	TACHO_TP_DEFINE_CLASS_(class_##provider##___##name, arguments, fields)

#undef TACHO_TP_INSTANCE_
#define TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, arguments)                  \
	TACHO_TP_CHECK_INSTANCE_(tacho_lttng_put_class_##class_provider##___##class_name,          \
				 tacho_lttng_type_##provider##___##name)                           \
	TACHO_TP_DEFINE_INFO_(provider##___##name, #provider, #name,                               \
			      class_##class_provider##___##class_name)                             \
	TACHO_TP_DEFINE_NEAR_(provider##___##name, class_##class_provider##___##class_name,        \
			      arguments)

#undef TACHO_TP_LEVEL_
#define TACHO_TP_LEVEL_(provider, name, level)
#undef TACHO_TP_MODEL_
#define TACHO_TP_MODEL_(provider, name, uri)
#undef TACHO_TP_ENUM__
#define TACHO_TP_ENUM__(provider, name, ...)

#ifndef LTTNG_TACHO_PROBE_H
#define LTTNG_TACHO_PROBE_H

#include <tacho/event-object.h>
#include <tacho/event-pack.h>

#include "types.h"

/*
 * A macro that is none of fields.h's ends the walk, and would be answered with an error for each of
 * the walks. So there is one for it alone, which keeps no fields: what it leaves over is said.
 */
#define TACHO_TP_DEFINE_CLASS_(class, arguments, fields)                                           \
	TACHO_TP_DEFINE_KNOWN_(class, arguments, (fields), (TACHO_TP_BEHIND_(fields)))
#define TACHO_TP_DEFINE_KNOWN_(class, arguments, fields, left_over)                                \
	TACHO_TP_ASSERT_(TACHO_TP_IS_NOTHING_ left_over,                                           \
			 "tacho: TP_FIELDS() knows no such field: " TACHO_TP_QUOTE_ left_over);    \
	TACHO_TP_DEFINE_SOUND_(class, arguments,                                                   \
			       TACHO_TP_KEEP_IF_(TACHO_TP_IS_NOTHING_ left_over) fields)

/* What is behind the last field that is known. */
#define TACHO_TP_BEHIND_(fields)    TACHO_TP_BEHIND__(TACHO_TP_KNOWN_A fields)
#define TACHO_TP_BEHIND__(...)      TACHO_TP_BEHIND___(__VA_ARGS__)
#define TACHO_TP_BEHIND___(...)     TACHO_TP_BEHIND_##__VA_ARGS__
#define TACHO_TP_KNOWN_A(how, ...)  TACHO_TP_KNOWN_B
#define TACHO_TP_KNOWN_B(how, ...)  TACHO_TP_KNOWN_A
#define TACHO_TP_BEHIND_TACHO_TP_KNOWN_A
#define TACHO_TP_BEHIND_TACHO_TP_KNOWN_B

/* 1 or 0. Only behind nothing do the parentheses call the macro, and its comma moves the 1. */
#define TACHO_TP_IS_NOTHING_(...)     TACHO_TP_THIRD_(TACHO_TP_COMMA_ __VA_ARGS__ (), 1, 0, ~)
#define TACHO_TP_COMMA_()             ,
#define TACHO_TP_THIRD_(...)          TACHO_TP_THIRD__(__VA_ARGS__)
#define TACHO_TP_THIRD__(a, b, c, ...) c
#define TACHO_TP_KEEP_IF_(is_kept)    TACHO_TP_KEEP_IF__(is_kept)
#define TACHO_TP_KEEP_IF__(is_kept)   TACHO_TP_KEEP_IF_##is_kept
#define TACHO_TP_KEEP_IF_0(...)
#define TACHO_TP_KEEP_IF_1(...)       __VA_ARGS__
#define TACHO_TP_QUOTE_(...)          #__VA_ARGS__

/*
 * What is written, then what is hidden, so that a record has the first fields of its description.
 * The function has room for all of them, whatever they are. It is part of the site, where `ip` is
 * where it calls libtacho, or of put(), where it is where that is called. All values are in one
 * expression: what C++ makes of them in passing, `std::string(..).c_str()`, is there until they are copied.
 */
#define TACHO_TP_DEFINE_SOUND_(class, arguments, fields)                                           \
	enum { tacho_lttng_count_##class = TACHO_TP_EACH_(COUNT, fields) 0 };                      \
	TACHO_TP_ASSERT_(TACHO_TP_COUNT_OF_(class) <= TACHO_FIELDS_MAX,                         \
			    "tacho: an event has at most 256 fields");                             \
	static const struct tacho_field tacho_lttng_fields_##class[] = {                           \
		TACHO_TP_EACH_(ROW, fields) TACHO_TP_EACH_(HIDDEN_ROW, fields)                     \
		{TACHO_TP_NULL_, 0, 0}};                                                           \
	static const struct tacho_label *const tacho_lttng_tables_##class[]                        \
		__attribute__((unused)) = {                                                        \
			TACHO_TP_EACH_(TABLE, fields) TACHO_TP_EACH_(HIDDEN_TABLE, fields)         \
			TACHO_TP_NULL_};                                                           \
	TACHO_INLINE_ void tacho_lttng_send_##class(                                               \
		const int tacho_is_site_, const void *tacho_caller_,                               \
		struct tacho_event *tacho_event_ TACHO_TP_PARAMETERS_(arguments))                  \
	{                                                                                          \
		unsigned char tacho_buffer_[TACHO_PACK_BYTES_(TACHO_TP_COUNT_OF_(class))];         \
		struct tacho_part tacho_parts_[TACHO_PACK_PARTS_(TACHO_TP_COUNT_OF_(class))];      \
		struct tacho_packer tacho_packer_;                                                 \
		uint32_t tacho_written_ = 0;                                                       \
		tacho_pack_init(&tacho_packer_, tacho_buffer_, tacho_parts_);                      \
		TACHO_TP_EACH_(CHECK, fields)                                                      \
		(TACHO_TP_EACH_(PUT, fields)                                                       \
		 tacho_lttng_hide(&tacho_packer_, TACHO_TP_HIDDEN_OF_(class), &tacho_written_),    \
		 TACHO_TP_EACH_(HIDDEN_PUT, fields)                                                \
		 tacho_lttng_send(&tacho_packer_, tacho_event_, TACHO_TP_HIDDEN_OF_(class),        \
				  tacho_written_, tacho_is_site_, tacho_caller_));                 \
	}                                                                                          \
	static TACHO_UNHOOKED_ __attribute__((noinline)) void tacho_lttng_put_##class(             \
		struct tacho_event *tacho_event_ TACHO_TP_PARAMETERS_(arguments))                  \
	{                                                                                          \
		tacho_lttng_send_##class(0, TACHO_CALLER_,                                         \
					 tacho_event_ TACHO_TP_VALUES_(arguments));                \
	}

#define TACHO_TP_DEFINE_INFO_(id, provider, name, class)                                           \
	TACHO_TP_CHECK_NAMES_(provider, name)                                                      \
	TACHO_TP_EXTERN_ const char tacho_lttng_level_##id[];                                      \
	extern const char tacho_lttng_model_##id[];                                                \
	TACHO_TP_EXTERN_ const struct tacho_rich_info tacho_lttng_info_##id                        \
		TACHO_TP_INFO_ATTRIBUTES_ __attribute__((weak));                                   \
	TACHO_TP_C_BEGIN_                                                                          \
	const struct tacho_rich_info tacho_lttng_info_##id = {               \
		{provider, name, tacho_lttng_fields_##class, TACHO_TP_COUNT_OF_(class),            \
		 TACHO_TP_LEVEL_OF_(tacho_lttng_level_##id), __FILE__, __LINE__,                   \
		 TACHO_INFO_RICH},                                                                 \
		TACHO_TP_ENUMS_OF_(class) ? tacho_lttng_tables_##class : TACHO_TP_NULL_,           \
		TACHO_TP_MODEL_OF_(tacho_lttng_model_##id),                                        \
		(tacho_lttng_put *)tacho_lttng_put_##class,                                        \
	};                                                                                         \
	TACHO_TP_OFFER_(id)                                                                        \
	TACHO_TP_C_END_

/*
 * What the sites behind this reading call. In an executable that has both halves, the event is its own
 * for certain, and so is its info. A library's may be that of another, and another version of it.
 */
#if defined(TACHO_TP_DEFINES_) && (!defined(__PIC__) || defined(__PIE__))
#define TACHO_TP_PUT_OF_(id, class) tacho_lttng_put_##class
#else
#define TACHO_TP_PUT_OF_(id, class)                                                                \
	(tacho_lttng_type_##id *)tacho_lttng_put_of(&tacho_lttng_event_##id)
#endif
#ifndef __OPTIMIZE__
#define TACHO_TP_DEFINE_NEAR_(id, class, arguments)
#else
#define TACHO_TP_DEFINE_NEAR_(id, class, arguments)                                                \
	TACHO_TP_NEAR_INLINE_ void tacho_lttng_near_##id(TACHO_TP_ALONE_(arguments))               \
	{                                                                                          \
		tacho_lttng_type_##id *const tacho_put_ = TACHO_TP_PUT_OF_(id, class);             \
		if (tacho_put_ == tacho_lttng_put_##class)                                         \
			tacho_lttng_send_##class(1, TACHO_TP_NULL_,                                \
				&tacho_lttng_event_##id TACHO_TP_VALUES_(arguments));              \
		else if (tacho_put_)                                                               \
			tacho_put_(&tacho_lttng_event_##id TACHO_TP_VALUES_(arguments));           \
		TACHO_STAY_;                                                                       \
	}                                                                                          \
	TACHO_TP_TELL_NEAR_(id)
#ifdef __cplusplus
#define TACHO_TP_NEAR_INLINE_   TACHO_INLINE_
#define TACHO_TP_TELL_NEAR_(id) TACHO_TP_CHOICE_(id, tacho_lttng_near, tacho_lttng_near_##id)
#else
/* It was declared as anybody's: one that is declared as a unit's own has to be defined. */
#ifdef __clang__
#define TACHO_TP_NEAR_BEGIN_                                                                       \
	_Pragma("clang diagnostic push")                                                           \
	_Pragma("clang diagnostic ignored \"-Wstatic-in-inline\"")
#define TACHO_TP_NEAR_END_ _Pragma("clang diagnostic pop")
#else
#define TACHO_TP_NEAR_BEGIN_
#define TACHO_TP_NEAR_END_
#endif
#define TACHO_TP_NEAR_INLINE_                                                                      \
	TACHO_TP_NEAR_BEGIN_ extern inline TACHO_UNHOOKED_ __attribute__((gnu_inline, always_inline))
#define TACHO_TP_TELL_NEAR_(id)                                                                    \
	TACHO_TP_NEAR_END_ extern const char tacho_lttng_is_near_##id[1];
#endif
#endif

/*
 * An event without a state is an offer: it says only that here is the info of an event, to those of
 * that name that are somewhere else. The event itself, where this unit has it too, does not say so
 * in a shared library: another's may stand in for it.
 */
#if defined(TACHO_TP_DEFINES_) && (!defined(__PIC__) || defined(__PIE__))
#define TACHO_TP_OFFER_(id)
#else
#define TACHO_TP_OFFER_(id)                                                                        \
	static struct tacho_event tacho_lttng_offer_##id = {                                       \
		TACHO_TP_NULL_, TACHO_TP_NULL_, &tacho_lttng_info_##id.info, TACHO_TP_NULL_};      \
	TACHO_TP_LIST_(offer, id)
#endif

#define TACHO_TP_CHECK_NAMES_(provider, name)                                                      \
	TACHO_TP_ASSERT_(sizeof(provider) - 1 <= TACHO_NAME_MAX &&                              \
				    sizeof(name) - 1 <= TACHO_NAME_MAX,                            \
			    "tacho: the names of provider and event have at most 255 bytes each"); \
	TACHO_TP_ASSERT_(TACHO_TP_IS_PROVIDER_(provider),                                          \
			 "tacho: an event's provider is the one that TRACEPOINT_PROVIDER names");

/* A macro that is not defined names nobody. Version 1 has one of its own; a header may define both. */
#define TACHO_TP_IS_PROVIDER_(provider)                                                            \
	(TACHO_TP_NAMES_(LTTNG_UST_TRACEPOINT_PROVIDER, provider) ||                               \
	 TACHO_TP_NAMES_(TRACEPOINT_PROVIDER, provider) ||                                         \
	 (TACHO_TP_NAMES_(LTTNG_UST_TRACEPOINT_PROVIDER, "LTTNG_UST_TRACEPOINT_PROVIDER") &&       \
	  TACHO_TP_NAMES_(TRACEPOINT_PROVIDER, "TRACEPOINT_PROVIDER")))
#define TACHO_TP_NAMES_(name, provider) (__builtin_strcmp(TACHO_TP_QUOTED_(name), provider) == 0)
#define TACHO_TP_QUOTED_(name)          #name

/* ---- going through the fields ---- */

#define TACHO_TP_EACH_(what, fields) TACHO_TP_END_(TACHO_TP_##what##_A fields)
#define TACHO_TP_END_(...)           TACHO_TP_END__(__VA_ARGS__)
#define TACHO_TP_END__(...)          __VA_ARGS__##_END

#define TACHO_TP_WRITE_IF_WRITTEN_(...) __VA_ARGS__
#define TACHO_TP_HIDE_IF_WRITTEN_(...)
#define TACHO_TP_WRITE_IF_HIDDEN_(...)
#define TACHO_TP_HIDE_IF_HIDDEN_(...) __VA_ARGS__

/* How many fields, how many of them are hidden, and how many have labels: in steps of 1, 1000 and a
 * million. */
#define TACHO_TP_COUNT_OF_(class)  (tacho_lttng_count_##class % 1000)
#define TACHO_TP_HIDDEN_OF_(class) (tacho_lttng_count_##class / 1000 % 1000)
#define TACHO_TP_ENUMS_OF_(class)  (tacho_lttng_count_##class / 1000000)
#define TACHO_TP_COUNT_A(how, kind, ...) how##COUNT_ + kind##COUNT_ + TACHO_TP_COUNT_B
#define TACHO_TP_COUNT_B(how, kind, ...) how##COUNT_ + kind##COUNT_ + TACHO_TP_COUNT_A
#define TACHO_TP_COUNT_A_END
#define TACHO_TP_COUNT_B_END
#define TACHO_TP_WRITE_COUNT_    0
#define TACHO_TP_HIDE_COUNT_     1000
#define TACHO_TP_INTEGER_COUNT_  1
#define TACHO_TP_FLOAT_COUNT_    1
#define TACHO_TP_STRING_COUNT_   1
#define TACHO_TP_ARRAY_COUNT_    1
#define TACHO_TP_SEQUENCE_COUNT_ 1
#define TACHO_TP_TEXT_COUNT_     1
#define TACHO_TP_ENUM_COUNT_     1000001
#define TACHO_TP_UNUSED_COUNT_   0

/* ---- rows of the table ---- */

#define TACHO_TP_ROW_A(how, kind, ...) how##IF_WRITTEN_(kind##ROW_(0, __VA_ARGS__)) TACHO_TP_ROW_B
#define TACHO_TP_ROW_B(how, kind, ...) how##IF_WRITTEN_(kind##ROW_(0, __VA_ARGS__)) TACHO_TP_ROW_A
#define TACHO_TP_ROW_A_END
#define TACHO_TP_ROW_B_END
#define TACHO_TP_HIDDEN_ROW_A(how, kind, ...)                                                      \
	how##IF_HIDDEN_(kind##ROW_(TACHO_FLAG_NOWRITE, __VA_ARGS__)) TACHO_TP_HIDDEN_ROW_B
#define TACHO_TP_HIDDEN_ROW_B(how, kind, ...)                                                      \
	how##IF_HIDDEN_(kind##ROW_(TACHO_FLAG_NOWRITE, __VA_ARGS__)) TACHO_TP_HIDDEN_ROW_A
#define TACHO_TP_HIDDEN_ROW_A_END
#define TACHO_TP_HIDDEN_ROW_B_END

#define TACHO_TP_INTEGER_ROW_(hide, type, name, value, flags)                                      \
	{name,                                                                                     \
	 TACHO_TYPE(TACHO_KIND_INTEGER, sizeof(type),                                              \
		    (hide) | (flags) | TACHO_TP_SIGN_(type)),                                      \
	 0},
#define TACHO_TP_ENUM_ROW_(hide, provider, labels, type, name, value)                              \
	TACHO_TP_INTEGER_ROW_(hide, type, name, value, TACHO_FLAG_ENUM)
#define TACHO_TP_FLOAT_ROW_(hide, type, name, value)                                               \
	{name, TACHO_TYPE(TACHO_KIND_FLOAT, TACHO_TP_REAL_BYTES_(type), (hide)), 0},
#define TACHO_TP_STRING_ROW_(hide, name, value) {name, TACHO_TYPE(TACHO_KIND_STRING, 1, (hide)), 0},
#define TACHO_TP_ARRAY_ROW_(hide, type, name, data, count, flags)                                  \
	{name,                                                                                     \
	 TACHO_TYPE(TACHO_KIND_ARRAY, sizeof(type), (hide) | (flags) | TACHO_TP_ELEMENT_(type)),   \
	 (uint32_t)(count)},
#define TACHO_TP_SEQUENCE_ROW_(hide, type, name, data, count_type, count, flags)                   \
	{name,                                                                                     \
	 TACHO_TYPE(TACHO_KIND_SEQUENCE, sizeof(type),                                             \
		    (hide) | (flags) | TACHO_TP_ELEMENT_(type) | TACHO_TP_LENGTH_(count_type)),    \
	 0},
#define TACHO_TP_TEXT_ROW_(hide, type, name, data, count_type, count)                              \
	{name,                                                                                     \
	 TACHO_TYPE(sizeof(type) == 1 ? TACHO_KIND_TEXT : TACHO_KIND_SEQUENCE, sizeof(type),       \
		    (hide) | (sizeof(type) == 1 ? 0 : TACHO_TP_ELEMENT_(type)) |                   \
			    TACHO_TP_LENGTH_(count_type)),                                         \
	 0},
#define TACHO_TP_UNUSED_ROW_(hide, value)

/* ---- tables of labels, by field ---- */

#define TACHO_TP_TABLE_A(how, kind, ...) how##IF_WRITTEN_(kind##TABLE_(__VA_ARGS__)) TACHO_TP_TABLE_B
#define TACHO_TP_TABLE_B(how, kind, ...) how##IF_WRITTEN_(kind##TABLE_(__VA_ARGS__)) TACHO_TP_TABLE_A
#define TACHO_TP_TABLE_A_END
#define TACHO_TP_TABLE_B_END
#define TACHO_TP_HIDDEN_TABLE_A(how, kind, ...)                                                    \
	how##IF_HIDDEN_(kind##TABLE_(__VA_ARGS__)) TACHO_TP_HIDDEN_TABLE_B
#define TACHO_TP_HIDDEN_TABLE_B(how, kind, ...)                                                    \
	how##IF_HIDDEN_(kind##TABLE_(__VA_ARGS__)) TACHO_TP_HIDDEN_TABLE_A
#define TACHO_TP_HIDDEN_TABLE_A_END
#define TACHO_TP_HIDDEN_TABLE_B_END

#define TACHO_TP_INTEGER_TABLE_(...)  TACHO_TP_NULL_,
#define TACHO_TP_FLOAT_TABLE_(...)    TACHO_TP_NULL_,
#define TACHO_TP_STRING_TABLE_(...)   TACHO_TP_NULL_,
#define TACHO_TP_ARRAY_TABLE_(...)    TACHO_TP_NULL_,
#define TACHO_TP_SEQUENCE_TABLE_(...) TACHO_TP_NULL_,
#define TACHO_TP_TEXT_TABLE_(...)     TACHO_TP_NULL_,
#define TACHO_TP_ENUM_TABLE_(provider, enumeration, type, name, value)                             \
	TACHO_TP_NAME_(labels, provider, enumeration),
#define TACHO_TP_UNUSED_TABLE_(...)

/* ---- checks ---- */

#define TACHO_TP_CHECK_A(how, kind, ...) kind##CHECK_(__VA_ARGS__) TACHO_TP_CHECK_B
#define TACHO_TP_CHECK_B(how, kind, ...) kind##CHECK_(__VA_ARGS__) TACHO_TP_CHECK_A
#define TACHO_TP_CHECK_A_END
#define TACHO_TP_CHECK_B_END

#define TACHO_TP_INTEGER_CHECK_(type, ...)                        TACHO_TP_CHECK_INTEGER_(type)
#define TACHO_TP_ENUM_CHECK_(provider, labels, type, name, value) TACHO_TP_CHECK_INTEGER_(type)
#define TACHO_TP_FLOAT_CHECK_(...)
#define TACHO_TP_STRING_CHECK_(name, value) TACHO_TP_CHECK_TEXT_(value)
#define TACHO_TP_ARRAY_CHECK_(type, name, data, count, flags)                                      \
	TACHO_TP_CHECK_ELEMENT_(type) TACHO_TP_CHECK_DATA_(data)
#define TACHO_TP_SEQUENCE_CHECK_(type, name, data, count_type, count, flags)                       \
	TACHO_TP_CHECK_ELEMENT_(type)                                                              \
	TACHO_TP_CHECK_LENGTH_(count_type)                                                         \
	TACHO_TP_CHECK_DATA_(data)
#define TACHO_TP_TEXT_CHECK_(type, name, data, count_type, count)                                  \
	TACHO_TP_SEQUENCE_CHECK_(type, name, data, count_type, count, 0)
#define TACHO_TP_UNUSED_CHECK_(value)

/* ---- puts ---- */

#define TACHO_TP_PUT_A(how, kind, ...) how##IF_WRITTEN_(kind##PUT_(__VA_ARGS__)) TACHO_TP_PUT_B
#define TACHO_TP_PUT_B(how, kind, ...) how##IF_WRITTEN_(kind##PUT_(__VA_ARGS__)) TACHO_TP_PUT_A
#define TACHO_TP_PUT_A_END
#define TACHO_TP_PUT_B_END
#define TACHO_TP_HIDDEN_PUT_A(how, kind, ...)                                                      \
	how##IF_HIDDEN_(kind##PUT_(__VA_ARGS__)) TACHO_TP_HIDDEN_PUT_B
#define TACHO_TP_HIDDEN_PUT_B(how, kind, ...)                                                      \
	how##IF_HIDDEN_(kind##PUT_(__VA_ARGS__)) TACHO_TP_HIDDEN_PUT_A
#define TACHO_TP_HIDDEN_PUT_A_END
#define TACHO_TP_HIDDEN_PUT_B_END

#define TACHO_TP_INTEGER_PUT_(type, name, value, flags)                                            \
	tacho_pack_integer(&tacho_packer_, (uint64_t)(type)(value), sizeof(type)),
#define TACHO_TP_ENUM_PUT_(provider, labels, type, name, value)                                    \
	TACHO_TP_INTEGER_PUT_(type, name, value, 0)
#define TACHO_TP_FLOAT_PUT_(type, name, value)                                                     \
	tacho_lttng_pack_real(&tacho_packer_, (double)(type)(value), TACHO_TP_REAL_BYTES_(type)),
#define TACHO_TP_STRING_PUT_(name, value)                                                          \
	tacho_pack_string(&tacho_packer_, (const char *)(value)),
#define TACHO_TP_ARRAY_PUT_(type, name, data, count, flags)                                        \
	tacho_lttng_pack_array(&tacho_packer_, (const void *)(data),                               \
			       (uint32_t)(count) * (uint32_t)sizeof(type)),
#define TACHO_TP_SEQUENCE_PUT_(type, name, data, count_type, count, flags)                         \
	tacho_lttng_pack_counted(&tacho_packer_, (const void *)(data),                             \
				 (uint64_t)(count_type)(count), TACHO_TP_SIGN_(count_type),        \
				 sizeof(count_type), sizeof(type)),
#define TACHO_TP_TEXT_PUT_(type, name, data, count_type, count)                                    \
	TACHO_TP_SEQUENCE_PUT_(type, name, data, count_type, count, 0)
#define TACHO_TP_UNUSED_PUT_(value) (void)(value),

TACHO_INLINE_ void tacho_lttng_pack_real(struct tacho_packer *packer, double value, uint32_t bytes)
{
	if (bytes == sizeof(float))
		tacho_pack_float(packer, (float)value);
	else
		tacho_pack_double(packer, value);
}

TACHO_INLINE_ void tacho_lttng_pack_array(struct tacho_packer *packer, const void *data,
					  uint32_t bytes)
{
	tacho_pack_close(packer);
	tacho_pack_part(packer, data, bytes, 0);
}

/* Less than nothing is nothing. */
TACHO_INLINE_ void tacho_lttng_pack_counted(struct tacho_packer *packer, const void *data,
					    uint64_t count, uint32_t is_signed,
					    uint32_t count_bytes, uint32_t element_bytes)
{
	const int is_empty = !data || (is_signed && (int64_t)count < 0);
	const uint32_t taken = is_empty ? 0 : tacho_pack_limit((size_t)count, element_bytes);

	tacho_pack_integer(packer, taken, count_bytes);
	tacho_pack_close(packer);
	tacho_pack_part(packer, data ? data : "", taken * element_bytes, 0);
}

/* The values that were put are written; what comes behind them, if anything is hidden, is not. */
TACHO_INLINE_ void tacho_lttng_hide(struct tacho_packer *packer, int is_hiding,
				    uint32_t *ret_written)
{
	if (!is_hiding)
		return;
	tacho_pack_close(packer);
	*ret_written = packer->part_count;
}

TACHO_INLINE_ void tacho_lttng_send_hiding(struct tacho_packer *packer, struct tacho_event *event,
					   uint32_t written, int is_site, const void *caller)
{
	uint32_t hidden;

	tacho_pack_count(packer);
	tacho_pack_close(packer);
	hidden = packer->part_count - written;
	if (is_site)
		tacho_emit_hiding(event, packer->parts, written, hidden);
	else
		tacho_emit_hiding_from(event, packer->parts, written, hidden, caller);
}

TACHO_INLINE_ void tacho_lttng_send(struct tacho_packer *packer, struct tacho_event *event,
				    int is_hiding, uint32_t written, int is_site, const void *caller)
{
	if (is_hiding)
		tacho_lttng_send_hiding(packer, event, written, is_site, caller);
	else if (is_site)
		tacho_pack_send(packer, event);
	else
		tacho_pack_send_from(packer, event, caller);
}

#endif
