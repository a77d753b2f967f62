/* SPDX-License-Identifier: MIT */
/*
 * arguments.h - the arguments of an event: TP_ARGS(int, n, const char *, text). Not for direct use:
 * include <lttng/tracepoint.h>.
 *
 * The list comes as (int, n, const char *, text), in which every macro is expanded already. Nothing
 * in parentheses, `(void)` and a list in which all is empty are no arguments. Most lists that are
 * made of it have a comma in front of each argument, because the event is the first.
 */
#ifndef LTTNG_TACHO_ARGUMENTS_H
#define LTTNG_TACHO_ARGUMENTS_H

#define TACHO_TP_ARGUMENTS_MAX 32

/* Also where the dialect has no _Static_assert. */
#ifdef __cplusplus
#define TACHO_TP_ASSERT_(condition, text) static_assert(condition, text)
#else
#define TACHO_TP_ASSERT_(condition, text) __extension__ _Static_assert(condition, text)
#endif

/*
 * TACHO_TP_SHAPE_(type, name, ...) - how many arguments, 0 to 32; or one of these two, which
 * TACHO_TP_CHECK_ARGUMENTS_ refuses with words.
 */
#define TACHO_TP_SHAPE_ODD_  33
#define TACHO_TP_SHAPE_MANY_ 34
#define TACHO_TP_SHAPE_(...)                                                                       \
	TACHO_TP_COUNT_(__VA_ARGS__, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34,       \
			34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34,    \
			34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34,    \
			34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 32, 33, 31, 33,    \
			30, 33, 29, 33, 28, 33, 27, 33, 26, 33, 25, 33, 24, 33, 23, 33, 22, 33,    \
			21, 33, 20, 33, 19, 33, 18, 33, 17, 33, 16, 33, 15, 33, 14, 33, 13, 33,    \
			12, 33, 11, 33, 10, 33, 9, 33, 8, 33, 7, 33, 6, 33, 5, 33, 4, 33, 3,       \
			33, 2, 33, 1, 0, ~)
#define TACHO_TP_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16,     \
			a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30,      \
			a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44,      \
			a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58,      \
			a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72,      \
			a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86,      \
			a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a100,     \
			a101, a102, a103, a104, a105, a106, a107, a108, a109, a110, a111, a112,    \
			a113, a114, a115, a116, a117, a118, a119, a120, a121, a122, a123, a124,    \
			a125, a126, a127, a128, shape, ...)                                        \
	shape

/* TACHO_TP_PARAMETERS_(list) -> , type name, .. */
#define TACHO_TP_PARAMETERS_(list)                                                                 \
	TACHO_TP_CAT_(TACHO_TP_PARAMETERS_, TACHO_TP_SHAPE_ list) list
#define TACHO_TP_PARAMETER_(t, n) , t n __attribute__((unused))

/* TACHO_TP_ALONE_(list) -> type name, ..; or void: where they are all there is */
#define TACHO_TP_ALONE_(list) TACHO_TP_CAT_(TACHO_TP_ALONE_, TACHO_TP_SHAPE_ list) list
#define TACHO_TP_FIRST_PARAMETER_(t, n) t n __attribute__((unused))

/* TACHO_TP_VALUES_(list) -> , name, ..: each handed on as it came */
#define TACHO_TP_VALUES_(list) TACHO_TP_CAT_(TACHO_TP_VALUES_, TACHO_TP_SHAPE_ list) list
#ifdef __cplusplus
#define TACHO_TP_VALUE_(n) , static_cast<decltype(n) &&>(n)
#else
#define TACHO_TP_VALUE_(n) , n
#endif

#define TACHO_TP_CAT_(a, b)  TACHO_TP_CAT__(a, b)
#define TACHO_TP_CAT__(a, b) a##b

#define TACHO_TP_CHECK_ARGUMENTS_(list)                                                            \
	TACHO_TP_ASSERT_(TACHO_TP_SHAPE_ list != TACHO_TP_SHAPE_ODD_,                           \
			    "tacho: TP_ARGS() takes pairs: type, name, type, name");               \
	TACHO_TP_ASSERT_(TACHO_TP_SHAPE_ list != TACHO_TP_SHAPE_MANY_,                          \
			    "tacho: an event has at most 32 arguments");

#define TACHO_TP_PARAMETERS_0(...)
#define TACHO_TP_PARAMETERS_1(t, n)       TACHO_TP_PARAMETER_(t, n)
#define TACHO_TP_PARAMETERS_2(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_1(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_3(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_2(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_4(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_3(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_5(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_4(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_6(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_5(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_7(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_6(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_8(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_7(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_9(t, n, ...)  TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_8(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_10(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_9(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_11(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_10(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_12(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_11(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_13(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_12(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_14(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_13(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_15(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_14(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_16(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_15(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_17(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_16(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_18(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_17(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_19(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_18(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_20(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_19(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_21(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_20(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_22(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_21(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_23(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_22(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_24(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_23(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_25(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_24(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_26(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_25(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_27(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_26(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_28(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_27(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_29(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_28(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_30(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_29(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_31(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_30(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_32(t, n, ...) TACHO_TP_PARAMETER_(t, n) TACHO_TP_PARAMETERS_31(__VA_ARGS__)
#define TACHO_TP_PARAMETERS_33(...)
#define TACHO_TP_PARAMETERS_34(...)

#define TACHO_TP_ALONE_0(...)        void
#define TACHO_TP_ALONE_1(t, n)       TACHO_TP_FIRST_PARAMETER_(t, n)
#define TACHO_TP_ALONE_2(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_1(__VA_ARGS__)
#define TACHO_TP_ALONE_3(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_2(__VA_ARGS__)
#define TACHO_TP_ALONE_4(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_3(__VA_ARGS__)
#define TACHO_TP_ALONE_5(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_4(__VA_ARGS__)
#define TACHO_TP_ALONE_6(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_5(__VA_ARGS__)
#define TACHO_TP_ALONE_7(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_6(__VA_ARGS__)
#define TACHO_TP_ALONE_8(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_7(__VA_ARGS__)
#define TACHO_TP_ALONE_9(t, n, ...)  TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_8(__VA_ARGS__)
#define TACHO_TP_ALONE_10(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_9(__VA_ARGS__)
#define TACHO_TP_ALONE_11(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_10(__VA_ARGS__)
#define TACHO_TP_ALONE_12(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_11(__VA_ARGS__)
#define TACHO_TP_ALONE_13(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_12(__VA_ARGS__)
#define TACHO_TP_ALONE_14(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_13(__VA_ARGS__)
#define TACHO_TP_ALONE_15(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_14(__VA_ARGS__)
#define TACHO_TP_ALONE_16(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_15(__VA_ARGS__)
#define TACHO_TP_ALONE_17(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_16(__VA_ARGS__)
#define TACHO_TP_ALONE_18(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_17(__VA_ARGS__)
#define TACHO_TP_ALONE_19(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_18(__VA_ARGS__)
#define TACHO_TP_ALONE_20(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_19(__VA_ARGS__)
#define TACHO_TP_ALONE_21(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_20(__VA_ARGS__)
#define TACHO_TP_ALONE_22(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_21(__VA_ARGS__)
#define TACHO_TP_ALONE_23(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_22(__VA_ARGS__)
#define TACHO_TP_ALONE_24(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_23(__VA_ARGS__)
#define TACHO_TP_ALONE_25(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_24(__VA_ARGS__)
#define TACHO_TP_ALONE_26(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_25(__VA_ARGS__)
#define TACHO_TP_ALONE_27(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_26(__VA_ARGS__)
#define TACHO_TP_ALONE_28(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_27(__VA_ARGS__)
#define TACHO_TP_ALONE_29(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_28(__VA_ARGS__)
#define TACHO_TP_ALONE_30(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_29(__VA_ARGS__)
#define TACHO_TP_ALONE_31(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_30(__VA_ARGS__)
#define TACHO_TP_ALONE_32(t, n, ...) TACHO_TP_FIRST_PARAMETER_(t, n) TACHO_TP_PARAMETERS_31(__VA_ARGS__)
#define TACHO_TP_ALONE_33(...)       void
#define TACHO_TP_ALONE_34(...)       void

#define TACHO_TP_VALUES_0(...)
#define TACHO_TP_VALUES_1(t, n)       TACHO_TP_VALUE_(n)
#define TACHO_TP_VALUES_2(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_1(__VA_ARGS__)
#define TACHO_TP_VALUES_3(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_2(__VA_ARGS__)
#define TACHO_TP_VALUES_4(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_3(__VA_ARGS__)
#define TACHO_TP_VALUES_5(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_4(__VA_ARGS__)
#define TACHO_TP_VALUES_6(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_5(__VA_ARGS__)
#define TACHO_TP_VALUES_7(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_6(__VA_ARGS__)
#define TACHO_TP_VALUES_8(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_7(__VA_ARGS__)
#define TACHO_TP_VALUES_9(t, n, ...)  TACHO_TP_VALUE_(n) TACHO_TP_VALUES_8(__VA_ARGS__)
#define TACHO_TP_VALUES_10(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_9(__VA_ARGS__)
#define TACHO_TP_VALUES_11(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_10(__VA_ARGS__)
#define TACHO_TP_VALUES_12(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_11(__VA_ARGS__)
#define TACHO_TP_VALUES_13(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_12(__VA_ARGS__)
#define TACHO_TP_VALUES_14(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_13(__VA_ARGS__)
#define TACHO_TP_VALUES_15(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_14(__VA_ARGS__)
#define TACHO_TP_VALUES_16(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_15(__VA_ARGS__)
#define TACHO_TP_VALUES_17(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_16(__VA_ARGS__)
#define TACHO_TP_VALUES_18(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_17(__VA_ARGS__)
#define TACHO_TP_VALUES_19(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_18(__VA_ARGS__)
#define TACHO_TP_VALUES_20(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_19(__VA_ARGS__)
#define TACHO_TP_VALUES_21(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_20(__VA_ARGS__)
#define TACHO_TP_VALUES_22(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_21(__VA_ARGS__)
#define TACHO_TP_VALUES_23(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_22(__VA_ARGS__)
#define TACHO_TP_VALUES_24(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_23(__VA_ARGS__)
#define TACHO_TP_VALUES_25(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_24(__VA_ARGS__)
#define TACHO_TP_VALUES_26(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_25(__VA_ARGS__)
#define TACHO_TP_VALUES_27(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_26(__VA_ARGS__)
#define TACHO_TP_VALUES_28(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_27(__VA_ARGS__)
#define TACHO_TP_VALUES_29(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_28(__VA_ARGS__)
#define TACHO_TP_VALUES_30(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_29(__VA_ARGS__)
#define TACHO_TP_VALUES_31(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_30(__VA_ARGS__)
#define TACHO_TP_VALUES_32(t, n, ...) TACHO_TP_VALUE_(n) TACHO_TP_VALUES_31(__VA_ARGS__)
#define TACHO_TP_VALUES_33(...)
#define TACHO_TP_VALUES_34(...)

#endif
