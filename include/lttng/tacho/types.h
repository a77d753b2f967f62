/* SPDX-License-Identifier: MIT */
/*
 * types.h - what a probe asks about types, as constants, in C and in C++. Not for direct use: include
 * <lttng/tracepoint.h>.
 */
#ifndef LTTNG_TACHO_TYPES_H
#define LTTNG_TACHO_TYPES_H

#pragma GCC system_header

#define TACHO_TP_REAL_BYTES_(type) (sizeof(type) == sizeof(float) ? sizeof(float) : sizeof(double))

/* The flags for the length of a sequence. */
#define TACHO_TP_LENGTH_(type)                                                                     \
	(sizeof(type) == 1 ? TACHO_FLAG_LENGTH_8 :                                                 \
	 sizeof(type) == 2 ? TACHO_FLAG_LENGTH_16 :                                                \
	 sizeof(type) == 8 ? TACHO_FLAG_LENGTH_64 :                                                \
			     0)

#ifdef __cplusplus

extern "C++" {
namespace tacho {
namespace lttng {

template <class T, bool is_enum = __is_enum(T)> struct number {
	static constexpr uint32_t sign = T(-1) < T(1) ? static_cast<uint32_t>(TACHO_FLAG_SIGNED) : 0;
};
template <class T> struct number<T *, false> {
	static constexpr uint32_t sign = 0;
};
template <class T> struct number<T *const, false> : number<T *, false> {
};
template <class T> struct number<T, true> : number<__underlying_type(T)> {
};
template <class T> struct number<const T, true> : number<T, true> {
};

template <class T> struct level;
template <> struct level<const char[]> {
	static constexpr uint32_t value = TACHO_LEVEL_DEBUG_LINE;
};
template <size_t n> struct level<const char[n]> {
	static constexpr uint32_t value = n - 1;
};


template <class T> struct has_length {
	static constexpr bool value = false;
};
template <class T, size_t n> struct has_length<T[n]> {
	static constexpr bool value = true;
};

template <bool is_known> struct choose {
	static constexpr const char *text(const char *)
	{
		return nullptr;
	}
};
template <> struct choose<true> {
	static constexpr const char *text(const char *known)
	{
		return known;
	}
};

template <class T> struct is_real {
	static constexpr bool value = false;
};
template <> struct is_real<float> {
	static constexpr bool value = true;
};
template <> struct is_real<double> : is_real<float> {
};
template <> struct is_real<long double> : is_real<float> {
};
template <class T> struct is_real<const T> : is_real<T> {
};
template <class T> struct is_real<volatile T> : is_real<T> {
};

template <class T> struct is_number {
	static constexpr bool is = __is_enum(T);
};
#define TACHO_TP_NUMBER_(type)                                                                     \
	template <> struct is_number<type> {                                                       \
		static constexpr bool is = true;                                                   \
	};
TACHO_TP_NUMBER_(bool)
TACHO_TP_NUMBER_(char)
TACHO_TP_NUMBER_(signed char)
TACHO_TP_NUMBER_(unsigned char)
TACHO_TP_NUMBER_(wchar_t)
TACHO_TP_NUMBER_(char16_t)
TACHO_TP_NUMBER_(char32_t)
TACHO_TP_NUMBER_(short)
TACHO_TP_NUMBER_(unsigned short)
TACHO_TP_NUMBER_(int)
TACHO_TP_NUMBER_(unsigned int)
TACHO_TP_NUMBER_(long)
TACHO_TP_NUMBER_(unsigned long)
TACHO_TP_NUMBER_(long long)
TACHO_TP_NUMBER_(unsigned long long)
TACHO_TP_NUMBER_(float)
TACHO_TP_NUMBER_(double)
TACHO_TP_NUMBER_(long double)
#undef TACHO_TP_NUMBER_
template <class T> struct is_number<const T> : is_number<T> {
};
template <class T> struct is_number<volatile T> : is_number<T> {
};
template <class T> struct is_number<const volatile T> : is_number<T> {
};
template <class T> struct is_number<T &> : is_number<T> {
};
template <class T> struct is_number<T &&> : is_number<T> {
};

/* Never called: which of them would be is the answer. */
char (&is_pointer(const volatile void *))[2];
char (&is_pointer(...))[1];

template <class T, class U> struct is_same {
	static constexpr bool value = false;
};
template <class T> struct is_same<T, T> {
	static constexpr bool value = true;
};

} /* namespace lttng */
} /* namespace tacho */
} /* extern "C++" */

#define TACHO_TP_NULL_ nullptr
#define TACHO_TP_SIGN_(type) ::tacho::lttng::number<type>::sign
#define TACHO_TP_IS_REAL_(type) ::tacho::lttng::is_real<type>::value
#define TACHO_TP_LEVEL_OF_(array) ::tacho::lttng::level<decltype(array)>::value
#define TACHO_TP_MODEL_OF_(array) \
	::tacho::lttng::choose< ::tacho::lttng::has_length<decltype(array)>::value>::text(array)
#define TACHO_TP_SAME_(function, type) ::tacho::lttng::is_same<decltype(function), type>::value

#else

#define TACHO_TP_NULL_ NULL

/* 5 is GCC's number for pointers, whose comparison is no constant. */
#define TACHO_TP_SIGN_(type)                                                                       \
	(__builtin_choose_expr(__builtin_classify_type((type)0) == 5, 0, (type)-1 < (type)1) ?     \
		 (uint32_t)TACHO_FLAG_SIGNED :                                                     \
		 0)
#define TACHO_TP_IS_REAL_(type)                                                                    \
	(__builtin_types_compatible_p(type, float) ||                                              \
	 __builtin_types_compatible_p(type, double) ||                                             \
	 __builtin_types_compatible_p(type, long double))
#define TACHO_TP_LEVEL_OF_(array)                                                                  \
	(sizeof(*__builtin_choose_expr(TACHO_TP_IS_UNKNOWN_(array),                                \
				       (const char(*)[TACHO_LEVEL_DEBUG_LINE + 1])0, &(array))) -  \
	 1)
#define TACHO_TP_MODEL_OF_(array) \
	__builtin_choose_expr(TACHO_TP_IS_UNKNOWN_(array), (const char *)0, (array))
#define TACHO_TP_SAME_(function, type)                                                             \
	__builtin_types_compatible_p(__typeof__(function), type)

#endif

#define TACHO_TP_CHECK_INSTANCE_(function, type)                                                   \
	TACHO_TP_ASSERT_(TACHO_TP_SAME_(function, type),                                        \
			    "tacho: the arguments of an instance have the types of its class's");

/*
 * 1 to 4 are numbers and enumerations, 8 is a real number. In C++, classes may have conversions, also
 * explicit ones; NULL is a number there, which is text.
 */
#ifdef __cplusplus
#define TACHO_TP_IS_POINTER_(value)                                                                   \
	(sizeof(::tacho::lttng::is_pointer(value)) == 2 ||                                         \
	 !::tacho::lttng::is_number<decltype((value))>::is)
#else
#define TACHO_TP_IS_POINTER_(value)                                                                   \
	(__builtin_classify_type(value) > 4 && __builtin_classify_type(value) != 8)
#endif

/* The elements of an array or a sequence. LTTng-UST has no floats there. */
#define TACHO_TP_ELEMENT_(type)                                                                    \
	(TACHO_TP_IS_REAL_(type) ? (uint32_t)TACHO_FLAG_FLOAT : TACHO_TP_SIGN_(type))

#define TACHO_TP_CHECK_INTEGER_(type)                                                              \
	TACHO_TP_ASSERT_(!TACHO_TP_IS_REAL_(type) && sizeof(type) <= 8,                            \
			 "tacho: ctf_integer() and ctf_enum() take an integer type of up to 64 "   \
			 "bits; for float and double there is ctf_float()");
#define TACHO_TP_CHECK_ELEMENT_(type)                                                              \
	TACHO_TP_ASSERT_(sizeof(type) <= 8, "tacho: the elements of an array or a sequence are "   \
					    "integers of up to 64 bits, float or double");
#define TACHO_TP_CHECK_LENGTH_(type)                                                               \
	TACHO_TP_ASSERT_(!TACHO_TP_IS_REAL_(type) && sizeof(type) <= 8,                            \
			 "tacho: the length of a sequence is of an integer type");
#define TACHO_TP_CHECK_DATA_(data)                                                                 \
	TACHO_TP_ASSERT_(TACHO_TP_IS_POINTER_(data), "tacho: an array or a sequence takes a "      \
						     "pointer to its elements, not a number");
#define TACHO_TP_CHECK_TEXT_(value)                                                                \
	TACHO_TP_ASSERT_(TACHO_TP_IS_POINTER_(value),                                                 \
			 "tacho: ctf_string() takes a pointer to text, not a number");

/* A pointer in the object's list of events. */
#if __has_attribute(retain)
#define TACHO_TP_KEEP_ used, retain
#else
#define TACHO_TP_KEEP_ used
#endif
#define TACHO_TP_LIST_(kind, id)                                                                   \
	static struct tacho_event *tacho_lttng_list_##kind##_##id                                  \
		__attribute__((section("tacho_events"), TACHO_TP_KEEP_)) =                         \
			&tacho_lttng_##kind##_##id;

#endif
