/* SPDX-License-Identifier: MIT */
/*
 * event-cxx.h - the types of values, found by templates, and the site of an event in C++. Not for
 * direct use: include <tacho/event.h>.
 *
 * A value is looked at twice: for its type, in an expression that is compiled but never reached
 * (not in decltype, which before C++20 refuses lambdas), and for its value. Values are passed by
 * value, which takes bit-fields, packed members and constants without a definition.
 *
 * What an event is made of cannot be a static variable of its function: in an inline function
 * that would be visible, and shared by all objects of the process. It is therefore a static member
 * of tacho::detail::site<>, which is hidden, for a class that the macro defines on the spot.
 */
#if defined(__cplusplus) && !defined(TACHO_EVENT_CXX_H)
#define TACHO_EVENT_CXX_H

#include "event-args.h"
#include "event-log.h"
#include "event-pack.h"
#include "event-probe.h"

/* Who includes this within extern "C" means C functions, not templates. */
extern "C++" {

namespace tacho
{
namespace detail
{

template <class T> struct hex {
	T value;
};
struct counted_text {
	const char *data;
	size_t count;
};
struct counted_bytes {
	const void *data;
	size_t count;
};
template <class T> struct counted {
	const T *data;
	size_t count;
};

template <class T> struct never {
	static constexpr bool value = false;
};

/* wire<T>: how a T is recorded. wire<T>::type is its TACHO_TYPE(); put() puts one. */
template <class T, bool is_enum = __is_enum(T)> struct wire {
	static_assert(never<T>::value,
		      "tacho: no field can have this type; integers, enums, bool, float, double, char *, "
		      "pointers and tacho_hex(), tacho_text(), tacho_bytes(), tacho_array() can "
		      "(of a std::string, record c_str())");
	static constexpr uint32_t type = 0;
	static void put(struct tacho_packer *, const T &)
	{
	}
};

/* How the elements of a sequence of T are recorded: only arithmetic types can be elements. */
template <class T> struct element {
	static_assert(never<T>::value,
		      "tacho: tacho_array() takes integers, bool, char, float and double");
	static constexpr uint32_t flags = 0;
};

#define TACHO_WIRE_(name, c_type, element_flags)                                                   \
	template <> struct wire<c_type, false> {                                                   \
		static constexpr uint32_t type = TACHO_INTEGER_TYPE_(c_type, element_flags);       \
		TACHO_INLINE_ void put(struct tacho_packer *packer, c_type value)                  \
		{                                                                                  \
			tacho_pack_integer(packer, static_cast<uint64_t>(value), sizeof(value));   \
		}                                                                                  \
	};
#define TACHO_ELEMENT_(name, c_type, element_flags)                                                \
	template <> struct element<c_type> {                                                       \
		static constexpr uint32_t flags = element_flags;                                   \
	};
/* Characters of other widths are numbers. */
#define TACHO_WIDE_CHARACTERS_(X)                                                                  \
	X(wide, wchar_t, static_cast<wchar_t>(-1) < 0 ? TACHO_FLAG_SIGNED : 0)                     \
	X(char16, char16_t, 0)                                                                     \
	X(char32, char32_t, 0)
TACHO_INTEGERS_(TACHO_WIRE_)
TACHO_WIDE_CHARACTERS_(TACHO_WIRE_)
TACHO_INTEGERS_(TACHO_ELEMENT_)
TACHO_WIDE_CHARACTERS_(TACHO_ELEMENT_)
TACHO_FLOATS_(TACHO_ELEMENT_)
#ifdef __cpp_char8_t
TACHO_WIRE_(char8, char8_t, TACHO_FLAG_CHAR)
TACHO_ELEMENT_(char8, char8_t, TACHO_FLAG_CHAR)
#endif
#undef TACHO_WIDE_CHARACTERS_
#undef TACHO_ELEMENT_
#undef TACHO_WIRE_

template <class T> struct wire<T, true> {
	typedef __underlying_type(T) integer;
	static constexpr uint32_t type = wire<integer>::type;
	TACHO_INLINE_ void put(struct tacho_packer *packer, T value)
	{
		wire<integer>::put(packer, static_cast<integer>(value));
	}
};

template <> struct wire<float, false> {
	static constexpr uint32_t type = TACHO_FLOAT_TYPE_(float);
	TACHO_INLINE_ void put(struct tacho_packer *packer, float value)
	{
		tacho_pack_float(packer, value);
	}
};

template <> struct wire<double, false> {
	static constexpr uint32_t type = TACHO_FLOAT_TYPE_(double);
	TACHO_INLINE_ void put(struct tacho_packer *packer, double value)
	{
		tacho_pack_double(packer, value);
	}
};

template <> struct wire<long double, false> : wire<double, false> {
	TACHO_INLINE_ void put(struct tacho_packer *packer, long double value)
	{
		tacho_pack_long_double(packer, value);
	}
};

template <class T> struct wire<T *, false> {
	static constexpr uint32_t type = TACHO_POINTER_TYPE_;
	TACHO_INLINE_ void put(struct tacho_packer *packer, T *value)
	{
		tacho_pack_integer(packer, reinterpret_cast<uintptr_t>(value), sizeof(value));
	}
};

template <> struct wire<decltype(nullptr), false> : wire<void *, false> {
};

template <> struct wire<const char *, false> {
	static constexpr uint32_t type = TACHO_STRING_TYPE_;
	TACHO_INLINE_ void put(struct tacho_packer *packer, const char *value)
	{
		tacho_pack_string(packer, value);
	}
};

template <> struct wire<char *, false> : wire<const char *, false> {
};

template <class T> struct wire<hex<T>, false> {
	static_assert(TACHO_TYPE_KIND(wire<T>::type) == TACHO_KIND_INTEGER &&
			      wire<T>::type != TACHO_POINTER_TYPE_,
		      "tacho: tacho_hex() takes integers");
	static constexpr uint32_t type = TACHO_INTEGER_TYPE_(T, TACHO_FLAG_HEX);
	TACHO_INLINE_ void put(struct tacho_packer *packer, hex<T> shown)
	{
		tacho_pack_unsigned(packer, static_cast<uint64_t>(shown.value), sizeof(T));
	}
};

template <> struct wire<counted_text, false> {
	static constexpr uint32_t type = TACHO_TYPE(TACHO_KIND_TEXT, 1, 0);
	TACHO_INLINE_ void put(struct tacho_packer *packer, counted_text text)
	{
		tacho_pack_counted(packer, text.data, text.count, 1);
	}
};

template <> struct wire<counted_bytes, false> {
	static constexpr uint32_t type = TACHO_TYPE(TACHO_KIND_BYTES, 1, 0);
	TACHO_INLINE_ void put(struct tacho_packer *packer, counted_bytes bytes)
	{
		tacho_pack_counted(packer, bytes.data, bytes.count, 1);
	}
};

template <class T> struct wire<counted<T>, false> {
	static constexpr uint32_t type = TACHO_SEQUENCE_TYPE_(T, element<T>::flags);
	TACHO_INLINE_ void put(struct tacho_packer *packer, counted<T> sequence)
	{
		tacho_pack_counted(packer, sequence.data, sequence.count, sizeof(T));
	}
};

/* The types of an event's values. */
template <class... T> struct types {
};
template <class... T> types<T...> *types_of(int, T...)
{
	return nullptr;
}

/* Its keys, in the same order; one more, so that there is always one. */
template <unsigned n> struct key_list {
	const char *key[n + 1];
};
template <class... Key> constexpr key_list<sizeof...(Key)> keys_of(int, Key... key)
{
	return {{key..., nullptr}};
}

/* count_to<3>::type is indices<0, 1, 2>. */
template <unsigned... i> struct indices {
};
template <unsigned n, unsigned... i> struct count_to : count_to<n - 1, n - 1, i...> {
};
template <unsigned... i> struct count_to<0, i...> {
	typedef indices<i...> type;
};

#if defined(TACHO_SDT) && TACHO_SDT
/* TACHO_TYPE() of the i-th of types<>. */
template <unsigned i, class Types> struct type_at;
template <class First, class... T> struct type_at<0, types<First, T...> *> {
	static constexpr uint32_t value = wire<First>::type;
};
template <unsigned i, class First, class... T>
struct type_at<i, types<First, T...> *> : type_at<i - 1, types<T...> *> {
};
#endif

template <unsigned n> struct field_list {
	struct tacho_field field[n + 1];
};
template <class... T, unsigned... i>
constexpr field_list<sizeof...(T)> fields_of(const key_list<sizeof...(T)> &keys, types<T...> *,
					     indices<i...>)
{
	return {{{keys.key[i], wire<T>::type, 0}..., {nullptr, 0, 0}}};
}

/*
 * site<>: an event, of a class that names it and of the types of its values. The class must not
 * depend on the types: GCC instantiates the local classes of a generic lambda before the type of
 * anything in it is known.
 */
#define TACHO_HIDDEN_ __attribute__((visibility("hidden")))
template <class Site, class Types> struct site;
template <class Site, class... T> struct site<Site, types<T...> *> {
	TACHO_HIDDEN_ static const field_list<sizeof...(T)> fields;
	TACHO_HIDDEN_ static const struct tacho_event_info info;
	TACHO_HIDDEN_ static struct tacho_event event;
};

template <class Site, class... T>
const field_list<sizeof...(T)> site<Site, types<T...> *>::fields =
	fields_of(Site::tacho_keys_(), static_cast<types<T...> *>(nullptr),
		  typename count_to<sizeof...(T)>::type());
template <class Site, class... T>
const struct tacho_event_info site<Site, types<T...> *>::info = {
	Site::tacho_provider_(), Site::tacho_name_(), fields.field, sizeof...(T),
	Site::tacho_level_(), Site::tacho_file_(), Site::tacho_line_(), 0,
};
template <class Site, class... T>
struct tacho_event site<Site, types<T...> *>::event = TACHO_EVENT_INIT_(&info);

/* site<>, of its arguments' types; never called. */
template <class Site, class Types> site<Site, Types> place_of(Types);

template <class Site> struct probe {
	TACHO_HIDDEN_ static struct tacho_probe places;
};
template <class Site> struct tacho_probe probe<Site>::places = {nullptr, nullptr};

/* A constructor, because the values in braces are evaluated from left to right. */
struct record {
	template <class... T>
	TACHO_UNHOOKED_ __attribute__((always_inline)) inline
	record(TACHO_SDT_PARAMETER_ struct tacho_event *event, T... value)
	{
		unsigned char buffer[TACHO_PACK_BYTES_(sizeof...(T))];
		struct tacho_part parts[TACHO_PACK_PARTS_(sizeof...(T))];
		struct tacho_packer packer;

		tacho_pack_init(&packer, buffer, parts);
		TACHO_SDT_ATTACH_(&packer, tacho_words_);
		const int in_order[] = {0, (wire<T>::put(&packer, value), 0)...};
		static_cast<void>(in_order);
		tacho_pack_send(&packer, event);
	}
};

template <class T> struct is_literal {
	static constexpr bool value = false;
};
template <size_t n> struct is_literal<const char (&)[n]> {
	static constexpr bool value = true;
};

} /* namespace detail */
} /* namespace tacho */

template <class T> static inline TACHO_UNHOOKED_ tacho::detail::hex<T> tacho_hex(T value)
{
	return {value};
}

static inline TACHO_UNHOOKED_ tacho::detail::counted_text tacho_text(const char *text, size_t bytes)
{
	return {text, bytes};
}

static inline TACHO_UNHOOKED_ tacho::detail::counted_bytes tacho_bytes(const void *data,
								       size_t bytes)
{
	return {data, bytes};
}

template <class T>
static inline TACHO_UNHOOKED_ tacho::detail::counted<T> tacho_array(const T *elements, size_t count)
{
	return {elements, count};
}

} /* extern "C++" */

#define TACHO_IS_LITERAL_(key) ::tacho::detail::is_literal<decltype(key)>::value
#define TACHO_CHECK_VALUE_(value) /* wire<> does */
#define TACHO_CHECK_PLAIN_(condition, text) TACHO_STATIC_ASSERT(condition, text)
#define TACHO_LEVEL_IN_RANGE_(level)                                                               \
	(!__builtin_constant_p(level) || static_cast<uint64_t>(level) <= TACHO_LEVEL_MAX)

#define TACHO_VALUE_(key, value) , value
#define TACHO_KEY_(key, value)   , key

/*
 * Defines the class tacho_site_: what an event is, in functions, which a local class may have; and
 * tacho_place_, where the event itself is.
 * The names of these functions are odd because they hide those of the program, in `level_`.
 *
 * No comma of an event is outside of parentheses, so that a lambda that holds one can be a value of
 * another: it would be a comma between that one's arguments.
 */
#define TACHO_SITE_(level_, provider_, name_, types, ...)                                          \
	struct tacho_site_ {                                                                       \
		static constexpr const char *tacho_provider_()                                     \
		{                                                                                  \
			return provider_;                                                          \
		}                                                                                  \
		static constexpr const char *tacho_name_()                                         \
		{                                                                                  \
			return TACHO_NAME_(name_);                                                 \
		}                                                                                  \
		static constexpr const char *tacho_file_()                                         \
		{                                                                                  \
			return __FILE__;                                                           \
		}                                                                                  \
		static constexpr uint32_t tacho_line_()                                            \
		{                                                                                  \
			return __LINE__;                                                           \
		}                                                                                  \
		static constexpr uint32_t tacho_level_()                                           \
		{                                                                                  \
			return static_cast<uint32_t>(level_);                                      \
		}                                                                                  \
		static constexpr decltype(::tacho::detail::keys_of(__VA_ARGS__)) tacho_keys_()     \
		{                                                                                  \
			return ::tacho::detail::keys_of(__VA_ARGS__);                              \
		}                                                                                  \
	};                                                                                         \
	typedef decltype(::tacho::detail::place_of<tacho_site_>(                                   \
		static_cast<types>(nullptr))) tacho_place_;                                        \
	TACHO_LIST_(tacho_place_::event)

#define TACHO_EVENT_(level, provider, name, ...)                                                   \
	do {                                                                                       \
		TACHO_CHECK_SHAPE_(TACHO_SHAPE_(__VA_ARGS__));                                     \
		TACHO_CHECK_LEVEL_(level);                                                         \
		TACHO_CHECK_NAMES_(provider, name);                                                \
		TACHO_EACH_(TACHO_CHECK_KEY_, __VA_ARGS__)                                         \
		auto tacho_types_ __attribute__((unused)) =                                        \
			true ? nullptr                                                             \
			     : ::tacho::detail::types_of(                                          \
				       0 TACHO_EACH_(TACHO_VALUE_, __VA_ARGS__));                  \
		TACHO_SITE_(level, provider, name, decltype(tacho_types_),                         \
			    0 TACHO_EACH_(TACHO_KEY_, __VA_ARGS__));                               \
		if (TACHO_UNLIKELY_(TACHO_IS_WANTED_(&tacho_place_::event, provider, name))) {     \
			TACHO_SDT_WORDS_(TACHO_SHAPE_(__VA_ARGS__))                                \
			static_cast<void>(::tacho::detail::record{                                 \
				TACHO_SDT_PASS_ &tacho_place_::event TACHO_EACH_(TACHO_VALUE_,     \
										 __VA_ARGS__)});   \
			TACHO_SDT_FIRE_(provider, name, TACHO_SHAPE_(__VA_ARGS__),                 \
					TACHO_CAT_(TACHO_SDT_SIZES_, TACHO_SHAPE_(__VA_ARGS__)))   \
		}                                                                                  \
	} while (0)

/* The end of a span, as an expression: the address of its event. */
#define TACHO_END_SITE_(provider, name)                                                            \
	__extension__({                                                                            \
		TACHO_SITE_(TACHO_LEVEL_DEBUG_LINE, provider, name, ::tacho::detail::types<> *,    \
			    0);                                                                    \
		&tacho_place_::event;                                                              \
	})

#define TACHO_LOG_(level, ...)                                                                     \
	do {                                                                                       \
		TACHO_CHECK_LEVEL_(level);                                                         \
		TACHO_SITE_(level, "log", "TACHO_N_message",                                       \
			    ::tacho::detail::types<const char *> *, 0, "message");                 \
		if (TACHO_UNLIKELY_(tacho_event_is_hit(&tacho_place_::event))) {                   \
			tacho_log_emit(&tacho_place_::event, __VA_ARGS__);                         \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	} while (0)

#define TACHO_ENABLED_(provider, name)                                                             \
	__extension__({                                                                            \
		struct tacho_asked_ {                                                              \
		};                                                                                 \
		TACHO_CHECK_NAMES_(provider, name);                                                \
		tacho_probe_is_on(&::tacho::detail::probe<tacho_asked_>::places, (provider),       \
				  TACHO_NAME_(name));                                              \
	})

#endif
