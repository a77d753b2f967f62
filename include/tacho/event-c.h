/* SPDX-License-Identifier: MIT */
/*
 * event-c.h - the types of values, found by _Generic, and the site of an event in C. Not for
 * direct use: include <tacho/event.h>.
 *
 * A value `v` is looked at twice: TACHO_TYPE_OF_(v) is its type, a constant, and TACHO_PUT_(k, v)
 * puts it into the payload; only the latter evaluates it. What tacho_hex() and its like give is
 * the address of a structure whose type says what to do.
 *
 * A bit-field has a type of its own in GCC, which no association names: the conditional in the
 * last association promotes it to long long, and leaves a pointer what it is.
 *
 * What no field can be is found before, by TACHO_CHECK_VALUE_(): the associations would take an
 * __int128 for a pointer.
 */
#if !defined(__cplusplus) && !defined(TACHO_EVENT_C_H)
#define TACHO_EVENT_C_H

#include "event-args.h"
#include "event-log.h"
#include "event-pack.h"
#include "event-probe.h"
#include "event-sdt.h"

/* X(name, type): what tacho_hex() makes of an integer. */
#define TACHO_HEXES_(X) X(hex8, uint8_t) X(hex16, uint16_t) X(hex32, uint32_t) X(hex64, uint64_t)

#define TACHO_DEFINE_PUT_(name, c_type, flags)                                                     \
	TACHO_INLINE_ void tacho_put_##name(struct tacho_packer *packer, c_type value)             \
	{                                                                                          \
		tacho_pack_integer(packer, (uint64_t)value, sizeof(value));                        \
	}
TACHO_INTEGERS_(TACHO_DEFINE_PUT_)
#undef TACHO_DEFINE_PUT_

#define TACHO_DEFINE_PUT_(name, c_type)                                                            \
	struct tacho_##name {                                                                      \
		c_type value;                                                                      \
	};                                                                                         \
	TACHO_INLINE_ void tacho_put_##name(struct tacho_packer *packer,                           \
					    const struct tacho_##name *hex)                        \
	{                                                                                          \
		tacho_pack_integer(packer, hex->value, sizeof(hex->value));                        \
	}
TACHO_HEXES_(TACHO_DEFINE_PUT_)
#undef TACHO_DEFINE_PUT_

#define TACHO_DEFINE_PUT_(name, pointer_type, element_bytes)                                       \
	struct tacho_counted_##name {                                                              \
		pointer_type data;                                                                 \
		size_t count;                                                                      \
	};                                                                                         \
	TACHO_INLINE_ void tacho_put_counted_##name(struct tacho_packer *packer,                   \
						    const struct tacho_counted_##name *counted)    \
	{                                                                                          \
		tacho_pack_counted(packer, counted->data, counted->count, element_bytes);          \
	}
#define TACHO_DEFINE_PUT_SEQUENCE_(name, c_type, flags)                                            \
	TACHO_DEFINE_PUT_(name, const void *, sizeof(c_type))
TACHO_DEFINE_PUT_(text, const char *, 1)
TACHO_DEFINE_PUT_(bytes, const void *, 1)
TACHO_INTEGERS_(TACHO_DEFINE_PUT_SEQUENCE_)
TACHO_FLOATS_(TACHO_DEFINE_PUT_SEQUENCE_)
#undef TACHO_DEFINE_PUT_SEQUENCE_
#undef TACHO_DEFINE_PUT_

TACHO_INLINE_ void tacho_put_pointer(struct tacho_packer *packer, const volatile void *value)
{
	tacho_pack_integer(packer, (uintptr_t)value, sizeof(value));
}

/* What helpers make of a value that is not for them: something that is no value either. */
struct tacho_refused_hex {
	uint64_t value;
};
struct tacho_refused_array {
	const void *data;
	size_t count;
};

/* The structure for an integer of this type. */
#if __SIZEOF_LONG__ == 8
#define TACHO_HEX_LONG_ hex64
#else
#define TACHO_HEX_LONG_ hex32
#endif
#define TACHO_HEX_CASE_(name)  TACHO_HEX_CASE__(name)
#define TACHO_HEX_CASE__(name) (struct tacho_##name *)0
#define TACHO_HEX_OF_(x)                                                                           \
	__typeof__(*_Generic((x),                                                                  \
		_Bool: TACHO_HEX_CASE_(hex8),                                                      \
		char: TACHO_HEX_CASE_(hex8),                                                       \
		signed char: TACHO_HEX_CASE_(hex8),                                                \
		unsigned char: TACHO_HEX_CASE_(hex8),                                              \
		short: TACHO_HEX_CASE_(hex16),                                                     \
		unsigned short: TACHO_HEX_CASE_(hex16),                                            \
		int: TACHO_HEX_CASE_(hex32),                                                       \
		unsigned int: TACHO_HEX_CASE_(hex32),                                              \
		long: TACHO_HEX_CASE_(TACHO_HEX_LONG_),                                            \
		unsigned long: TACHO_HEX_CASE_(TACHO_HEX_LONG_),                                   \
		unsigned long long: TACHO_HEX_CASE_(hex64),                                        \
		default: _Generic(1 ? (x) : 0LL,                                                   \
			long long: TACHO_HEX_CASE_(hex64),                                         \
			default: TACHO_HEX_CASE_(refused_hex))))
#define tacho_hex(x)                                                                               \
	(&(TACHO_HEX_OF_(x)){(__typeof__(((TACHO_HEX_OF_(x) *)0)->value))(x)})

/* The structure for a sequence of elements of this type. */
#define TACHO_ARRAY_CASE_(name, c_type, flags) c_type: (struct tacho_counted_##name *)0,
#define TACHO_ARRAY_OF_(element)                                                                   \
	__typeof__(*_Generic((element),                                                            \
		TACHO_INTEGERS_(TACHO_ARRAY_CASE_)                                                 \
		TACHO_FLOATS_(TACHO_ARRAY_CASE_)                                                   \
		default: (struct tacho_refused_array *)0))

#define tacho_text(pointer, n)  (&(struct tacho_counted_text){(pointer), (n)})
#define tacho_bytes(pointer, n) (&(struct tacho_counted_bytes){(pointer), (n)})
#define tacho_array(pointer, n) (&(TACHO_ARRAY_OF_(*(pointer))){(pointer), (n)})

/* Associations: C type -> TACHO_TYPE(). */
#define TACHO_TYPE_CASE_(name, c_type, flags) c_type: TACHO_INTEGER_TYPE_(c_type, flags),
#define TACHO_TYPE_CASE_HEX_(name, c_type)                                                         \
	struct tacho_##name *: TACHO_INTEGER_TYPE_(c_type, TACHO_FLAG_HEX),
#define TACHO_TYPE_CASE_SEQUENCE_(name, c_type, flags)                                             \
	struct tacho_counted_##name *: TACHO_SEQUENCE_TYPE_(c_type, flags),
#define TACHO_TYPE_OF_(v)                                                                          \
	_Generic((v),                                                                              \
		TACHO_INTEGERS_(TACHO_TYPE_CASE_)                                                  \
		float: TACHO_FLOAT_TYPE_(float),                                                   \
		double: TACHO_FLOAT_TYPE_(double),                                                 \
		long double: TACHO_FLOAT_TYPE_(double),                                            \
		char *: TACHO_STRING_TYPE_,                                                        \
		const char *: TACHO_STRING_TYPE_,                                                  \
		TACHO_HEXES_(TACHO_TYPE_CASE_HEX_)                                                 \
		struct tacho_counted_text *: TACHO_TYPE(TACHO_KIND_TEXT, 1, 0),                    \
		struct tacho_counted_bytes *: TACHO_TYPE(TACHO_KIND_BYTES, 1, 0),                  \
		TACHO_INTEGERS_(TACHO_TYPE_CASE_SEQUENCE_)                                         \
		TACHO_FLOATS_(TACHO_TYPE_CASE_SEQUENCE_)                                           \
		default: _Generic(1 ? (v) : 0LL,                                                   \
			long long: TACHO_INTEGER_TYPE_(long long, TACHO_FLAG_SIGNED),              \
			default: TACHO_POINTER_TYPE_))

/* Associations: C type -> the function that puts it. */
#define TACHO_PUT_CASE_(name, c_type, flags) c_type: tacho_put_##name,
#define TACHO_PUT_CASE_HEX_(name, c_type) struct tacho_##name *: tacho_put_##name,
#define TACHO_PUT_CASE_SEQUENCE_(name, c_type, flags)                                              \
	struct tacho_counted_##name *: tacho_put_counted_##name,
#define TACHO_PUT_OF_(v)                                                                           \
	_Generic((v),                                                                              \
		TACHO_INTEGERS_(TACHO_PUT_CASE_)                                                   \
		float: tacho_pack_float,                                                           \
		double: tacho_pack_double,                                                         \
		long double: tacho_pack_long_double,                                               \
		char *: tacho_pack_string,                                                         \
		const char *: tacho_pack_string,                                                   \
		TACHO_HEXES_(TACHO_PUT_CASE_HEX_)                                                  \
		struct tacho_counted_text *: tacho_put_counted_text,                               \
		struct tacho_counted_bytes *: tacho_put_counted_bytes,                             \
		TACHO_INTEGERS_(TACHO_PUT_CASE_SEQUENCE_)                                          \
		TACHO_FLOATS_(TACHO_PUT_CASE_SEQUENCE_)                                            \
		default: _Generic(1 ? (v) : 0LL,                                                   \
			long long: tacho_put_llong,                                                \
			default: tacho_put_pointer))

/* clang warns when an expression with side effects is asked for its type; and GCC when the value is
 * as zero as the other branch of the conditional that asks. */
#ifdef __clang__
#define TACHO_QUIET_BEGIN_                                                                         \
	_Pragma("clang diagnostic push")                                                           \
	_Pragma("clang diagnostic ignored \"-Wunevaluated-expression\"")
#define TACHO_QUIET_END_ _Pragma("clang diagnostic pop")
#else
#define TACHO_QUIET_BEGIN_                                                                         \
	_Pragma("GCC diagnostic push")                                                             \
	_Pragma("GCC diagnostic ignored \"-Wduplicated-branches\"")
#define TACHO_QUIET_END_ _Pragma("GCC diagnostic pop")
#endif

/* An array variable has the same type, but then its address is no constant, or it is no key. With
 * -Wwrite-strings a literal is one of constants. */
#define TACHO_IS_LITERAL_(key)                                                                     \
	_Generic(&(key), __typeof__(""[0])(*)[sizeof(key)]: 1, default: 0)

/* Only an enumerator may be what clang counts as constant but C does not. The block keeps it from
 * hiding that of an event around this one. */
#define TACHO_CHECK_PLAIN_(condition, text)                                                        \
	{                                                                                          \
		__extension__ enum { tacho_is_plain_ = (condition) };                              \
		TACHO_STATIC_ASSERT(tacho_is_plain_, text);                                        \
	}

/* Stands in for a level that is none, about which TACHO_CHECK_LEVEL_ has the word. */
#define TACHO_CONSTANT_(level) __builtin_choose_expr(__builtin_constant_p(level), (level), 0)
#define TACHO_LEVEL_IN_RANGE_(level) ((uint64_t)TACHO_CONSTANT_(level) <= TACHO_LEVEL_MAX)

/* GCC's numbers of kinds of types: 1 to 5 are integers, char, enums, _Bool, pointers; 12 and 13 are
 * structures and unions, which fit no association either, but the compiler's own message about that
 * does not help. */
#define TACHO_IS_OF_KIND_(value, kinds) (((kinds) << 1 >> (__builtin_classify_type(value) + 1)) & 1)
#define TACHO_IS_VALUE_(value)                                                                     \
	_Generic((value),                                                                          \
		float: 1,                                                                          \
		double: 1,                                                                         \
		long double: 1,                                                                    \
		struct tacho_refused_hex *: 0,                                                     \
		struct tacho_refused_array *: 0,                                                   \
		default: TACHO_IS_OF_KIND_(value, 0x3e) && sizeof(1 ? (value) : 0LL) <= 8)
#define TACHO_CHECK_VALUE_(value)                                                                  \
	TACHO_STATIC_ASSERT(!TACHO_IS_OF_KIND_(value, 0x3000),                                     \
			    "tacho: a structure or union cannot be a field");                      \
	TACHO_STATIC_ASSERT(TACHO_IS_VALUE_(value),                                                \
			    "tacho: no field can have this type; integers of up to 64 bits, enums, " \
			    "float, double, pointers can; tacho_hex() takes integers, "            \
			    "tacho_array() a pointer to integers, _Bool, char, float or double");

#define TACHO_FIELD_(key, value) {(key), __extension__ TACHO_TYPE_OF_(value), 0},
#define TACHO_SDT_SIZE_(key, value)                                                                \
	, "i"(TACHO_SDT_BYTES_(__extension__ TACHO_TYPE_OF_(value)))
#define TACHO_PUT_(key, value)   __extension__ TACHO_PUT_OF_(value)(&tacho_packer_, (value));

/* Declares the event tacho_site_, whose fields tacho_fields_ are declared already. */
#define TACHO_SITE_(level, provider, name, field_count)                                            \
	static const struct tacho_event_info tacho_info_ = {                                       \
		(provider), TACHO_NAME_(name), tacho_fields_, (field_count),                       \
		(uint32_t)TACHO_CONSTANT_(level), __FILE__, __LINE__, 0,                           \
	};                                                                                         \
	static struct tacho_event tacho_site_ = TACHO_EVENT_INIT_(&tacho_info_)

#define TACHO_EVENT_(level, provider, name, ...)                                                   \
	TACHO_EVENT_OF_SHAPE_(level, provider, name, TACHO_SHAPE_(__VA_ARGS__), __VA_ARGS__)
#define TACHO_EVENT_OF_SHAPE_(level, provider, name, shape, ...)                                   \
	do {                                                                                       \
		TACHO_QUIET_BEGIN_                                                                 \
		TACHO_CHECK_SHAPE_(shape);                                                         \
		TACHO_CHECK_LEVEL_(level);                                                         \
		TACHO_EACH_(TACHO_CHECK_KEY_, __VA_ARGS__)                                         \
		static const struct tacho_field tacho_fields_[] = {                                \
			TACHO_EACH_(TACHO_FIELD_, __VA_ARGS__){0, 0, 0}};                          \
		TACHO_SITE_(level, provider, name, shape);                                         \
		TACHO_CHECK_NAMES_(provider, name);                                                \
		TACHO_LIST_(tacho_site_);                                                          \
		if (TACHO_UNLIKELY_(TACHO_IS_WANTED_(&tacho_site_, provider, name))) {             \
			TACHO_SDT_WORDS_(shape)                                                    \
			unsigned char tacho_buffer_[TACHO_PACK_BYTES_(shape)];                     \
			struct tacho_part tacho_parts_[TACHO_PACK_PARTS_(shape)];                  \
			struct tacho_packer tacho_packer_;                                         \
                                                                                                   \
			tacho_pack_init(&tacho_packer_, tacho_buffer_, tacho_parts_);              \
			TACHO_SDT_ATTACH_(&tacho_packer_, tacho_words_);                           \
			TACHO_EACH_(TACHO_PUT_, __VA_ARGS__)                                       \
			tacho_pack_send(&tacho_packer_, &tacho_site_);                             \
			TACHO_SDT_FIRE_(provider, name, shape,                                     \
					TACHO_EACH_(TACHO_SDT_SIZE_, __VA_ARGS__))                 \
		}                                                                                  \
		TACHO_QUIET_END_                                                                   \
	} while (0)

/* The end of a span, as an expression: the address of its event. */
#define TACHO_END_SITE_(provider, name)                                                            \
	__extension__({                                                                            \
		static const struct tacho_field tacho_fields_[] = {{0, 0, 0}};                     \
		TACHO_SITE_(TACHO_LEVEL_DEBUG_LINE, provider, name, 0);                            \
		TACHO_LIST_(tacho_site_);                                                          \
		&tacho_site_;                                                                      \
	})

#define TACHO_LOG_(level, ...)                                                                     \
	do {                                                                                       \
		TACHO_CHECK_LEVEL_(level);                                                         \
		static const struct tacho_field tacho_fields_[] = {{"message", TACHO_STRING_TYPE_, 0}}; \
		TACHO_SITE_(level, "log", "TACHO_N_message", 1);                                   \
		TACHO_LIST_(tacho_site_);                                                          \
		if (TACHO_UNLIKELY_(tacho_event_is_hit(&tacho_site_))) {                           \
			tacho_log_emit(&tacho_site_, __VA_ARGS__);                                 \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	} while (0)

#define TACHO_ENABLED_(provider, name)                                                             \
	__extension__({                                                                            \
		static struct tacho_probe tacho_probe_;                                            \
		TACHO_CHECK_NAMES_(provider, name);                                                \
		tacho_probe_is_on(&tacho_probe_, (provider), TACHO_NAME_(name));                   \
	})

#endif
