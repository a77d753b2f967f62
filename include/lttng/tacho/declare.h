/* SPDX-License-Identifier: MIT */
/*
 * declare.h - the first reading of a provider: what the sites of an event need. Read again after the
 * other readings. Not for direct use: include <lttng/tracepoint.h>.
 */
#pragma GCC system_header

#undef TACHO_TP_EVENT_
#define TACHO_TP_EVENT_(provider, name, arguments, fields)                                         \
	TACHO_TP_DECLARE_(provider##___##name, arguments)

#undef TACHO_TP_CLASS_
#define TACHO_TP_CLASS_(provider, name, arguments, fields)

#undef TACHO_TP_INSTANCE_
#define TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, arguments)                  \
	TACHO_TP_DECLARE_(provider##___##name, arguments)

/*
 * An event without a put() has lost its probes, or is about to find them.
 *
 * A site behind the reading for probes (probe.h) needs no put(): what is there is folded into it. That
 * it is there, the site is told in C by the length that an array has by then, and in C++ by a second
 * function that suits it better.
 */
#undef TACHO_TP_DECLARE_
#define TACHO_TP_DECLARE_(id, arguments)                                                           \
	TACHO_TP_CHECK_ARGUMENTS_(arguments)                                                       \
	TACHO_TP_CHECK_ONCE_(id)                                                                   \
	TACHO_TP_EXTERN_ struct tacho_event tacho_lttng_event_##id TACHO_TP_EVENT_ATTRIBUTES_;     \
	typedef void tacho_lttng_type_##id(                                                        \
		struct tacho_event *tacho_event_ TACHO_TP_PARAMETERS_(arguments));                 \
	TACHO_ALWAYS_INLINE_ void tacho_lttng_call_##id(TACHO_TP_ALONE_(arguments))                \
	{                                                                                          \
		tacho_lttng_type_##id *const tacho_put_ =                                          \
			(tacho_lttng_type_##id *)tacho_lttng_put_of(&tacho_lttng_event_##id);      \
		if (tacho_put_) {                                                                  \
			tacho_put_(&tacho_lttng_event_##id TACHO_TP_VALUES_(arguments));           \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	}                                                                                          \
	TACHO_TP_DECLARE_NEAR_(id, arguments)

#undef TACHO_TP_LEVEL_
#define TACHO_TP_LEVEL_(provider, name, level)
#undef TACHO_TP_MODEL_
#define TACHO_TP_MODEL_(provider, name, uri)
#undef TACHO_TP_ENUM__
#define TACHO_TP_ENUM__(provider, name, ...)

#ifndef LTTNG_TACHO_DECLARE_H
#define LTTNG_TACHO_DECLARE_H

typedef void tacho_lttng_put(void);

#ifndef __OPTIMIZE__
#define TACHO_TP_DECLARE_NEAR_(id, arguments)
#define TACHO_TP_CALL_(provider, name) TACHO_TP_NAME_(call, provider, name)
#elif defined(__cplusplus)
extern "C++" {
struct tacho_lttng_far {
};
struct tacho_lttng_near : tacho_lttng_far {
};
}
#define TACHO_TP_DECLARE_NEAR_(id, arguments)                                                      \
	TACHO_TP_CHOICE_(id, tacho_lttng_far, tacho_lttng_call_##id)
#define TACHO_TP_CHOICE_(id, place, function)                                                      \
	extern "C++" {                                                                             \
	static constexpr __attribute__((unused)) decltype(&tacho_lttng_call_##id)                  \
		tacho_lttng_choose_##id(place)                                                     \
	{                                                                                          \
		return function;                                                                   \
	}                                                                                          \
	}
#define TACHO_TP_CALL_(provider, name)                                                             \
	TACHO_TP_NAME_(choose, provider, name)(tacho_lttng_near())
#else
#define TACHO_TP_DECLARE_NEAR_(id, arguments)                                                      \
	extern const char tacho_lttng_is_near_##id[];                                              \
	void tacho_lttng_near_##id(TACHO_TP_ALONE_(arguments));
#define TACHO_TP_CALL_(provider, name)                                                             \
	__builtin_choose_expr(TACHO_TP_IS_UNKNOWN_(TACHO_TP_NAME_(is_near, provider, name)),       \
			      TACHO_TP_NAME_(call, provider, name),                                \
			      TACHO_TP_NAME_(near, provider, name))
#endif

#ifndef __cplusplus
/* An array of unknown length is like one of any length. */
#define TACHO_TP_IS_UNKNOWN_(array)                                                                \
	(__builtin_types_compatible_p(__typeof__(array), const char[1]) &&                         \
	 __builtin_types_compatible_p(__typeof__(array), const char[2]))
#else
extern "C++" {
template <class T> struct tacho_lttng_is_unknown {
	static constexpr bool value = false;
};
template <> struct tacho_lttng_is_unknown<const char[]> {
	static constexpr bool value = true;
};
}
#define TACHO_TP_IS_UNKNOWN_(array) (tacho_lttng_is_unknown<decltype(array)>::value)
#endif

/* The compiler says of what it sees twice that it is a symbol; this comes first, and has words. */
#define TACHO_TP_CHECK_ONCE_(id)                                                                   \
	TACHO_TP_EXTERN_ const char tacho_lttng_is_declared_##id[];                                \
	TACHO_TP_ASSERT_(TACHO_TP_IS_UNKNOWN_(tacho_lttng_is_declared_##id),                       \
			 "tacho: the event " #id " is declared twice");                            \
	TACHO_TP_EXTERN_ const char tacho_lttng_is_declared_##id[1];

TACHO_INLINE_ tacho_lttng_put *tacho_lttng_put_of(const struct tacho_event *event)
{
	return ((const struct tacho_rich_info *)tacho_load_relaxed(&event->info))->put;
}

#endif
