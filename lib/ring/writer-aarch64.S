/* SPDX-License-Identifier: MIT */
/*
 * writer-aarch64.S - the restartable sections of a machine with weak memory. Pseudo-code and rules are
 * those of writer-x86_64.S; this says what is different here.
 *
 * WHICH: tacho_emit_word, ring_append, ring_slot_copy. Events of other payloads take the slow way, by
 * ring_append (writer-rseq.c).
 *
 * ORDER. What x86 does by itself is in the instructions:
 *
 *	write:B, open:F   stlr of head: all bytes and the table entry before it
 *	open:B            dmb ishst behind `opened`: opened before what overwrites
 *	emit:A            state word, then what is known of the event: two loads with acquire, as the
 *	                  thread that forgets (tracer/hot.h) does it the other way round, behind a full
 *	                  barrier
 *	ring->head        needs none: it is written on this CPU only, and who was on another CPU
 *	                  before came by the scheduler, which is a full barrier
 *
 * CLOCK. cntvct_el0 is read out of order with what is around it, also with another reading of it; a
 * timestamp that goes back would be taken for a window that is over. So there is an isb before, and
 * what must be looked at after the clock has an address that depends on it (ts ^ ts).
 */
#include "ring/have-rseq.h"

#if defined(TACHO_HAVE_RSEQ) && defined(__aarch64__)
#include "ring/writer-layout.h"

/* The operand of brk, in the byte order of data. */
#define RSEQ_SIGNATURE 0xd428bc00

.macro SECTION name, start, end, abort
	.pushsection __rseq_cs, "aw"
	.balign	32
\name:
	.long	0, 0
	.quad	\start, \end - \start, \abort
	.popsection
	.pushsection __rseq_cs_ptr_array, "aw"
	.quad	\name
	.popsection
	.pushsection __rseq_exit_point_array, "aw"
	.quad	\start, \end
	.popsection
.endm

.macro ABORT label
	.inst	RSEQ_SIGNATURE
\label:
.endm

/* The address of the thread's data; clobbers x17. */
.macro THREAD register
	mrs	x17, tpidr_el0
	adrp	\register, :gottprel:tacho_thread
	ldr	\register, [\register, :gottprel_lo12:tacho_thread]
	add	\register, \register, x17
.endm

/* The address of its rseq area, from that; clobbers x17. */
.macro RSEQ_AREA register, thread
	adrp	x17, ring_rseq_at
	ldr	x17, [x17, :lo12:ring_rseq_at]
	add	\register, \thread, x17
.endm

/* rseq_cs = section; clobbers x17. */
.macro ENTER section, area
	adrp	x17, \section
	add	x17, x17, :lo12:\section
	str	x17, [\area, #RSEQ_CS]
.endm

.macro CLOCK register
	isb
	mrs	\register, cntvct_el0
.endm

	.hidden	tacho_thread
	.hidden	ring_rseq_at
	.hidden	tacho_emit_word_slow

	.text

/*
 * void tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes)
 */
	.balign	64
	.globl	tacho_emit_word
	.type	tacho_emit_word, %function
tacho_emit_word:
	.cfi_startproc
.Lword_restart:
	THREAD	x8
	RSEQ_AREA x9, x8
	ldr	x11, [x0, #EVENT_HOT]
	ldr	x12, [x0, #EVENT_STATE]
	ENTER	.Lword_section, x9
.Lword_start:
	CLOCK	x3
	lsr	x4, x3, #27
	ldr	w5, [x8, #SLOT_WINDOW]
	cmp	w5, w4
	b.ne	.Lword_slow
	ldr	w4, [x9, #RSEQ_CPU_ID]
	ldr	w5, [x8, #SLOT_CPU]
	cmp	w4, w5
	b.ne	.Lword_slow
	eor	x4, x3, x3
	add	x4, x12, x4
	ldar	w4, [x4]
	add	x5, x11, #HOT_BITS
	ldar	w5, [x5]
	cmp	w4, w5
	b.ne	.Lword_slow
	ldr	x6, [x11, #HOT_ID_AND_TAG]
	ldr	w5, [x8, #SLOT_TAG]
	cmp	w6, w5			/* never of a RING_ROUTED() */
	b.ne	.Lword_slow
	ldr	x7, [x8, #SLOT_RING]
	ldr	x5, [x8, #SLOT_HEAD]
	ldr	x4, [x7, #RING_HEAD]
	cmp	x4, x5
	b.ne	.Lword_slow
	add	x10, x5, #4
	add	x10, x10, x2
	ldr	x4, [x8, #SLOT_LIMIT]
	cmp	x10, x4
	b.hi	.Lword_slow
	lsr	x4, x6, #59
	orr	w4, w4, w3, lsl #5
	ldr	x6, [x8, #SLOT_BIAS]
	add	x6, x6, x5
	str	w4, [x6]
	str	x1, [x6, #4]
	str	x10, [x8, #SLOT_HEAD]
	stlr	x10, [x7]
.Lword_end:
	ret
.Lword_slow:
	mov	x3, x30
	mov	w4, #0
	b	tacho_emit_word_slow
ABORT .Lword_abort
	b	.Lword_restart
	.cfi_endproc
	.size	tacho_emit_word, . - tacho_emit_word
SECTION .Lword_section, .Lword_start, .Lword_end, .Lword_abort

/* Copy x11 bytes from x10 to x13, which then points behind them; clobbers x10, x11, x14. */
.macro COPY
.Lcopy_8_\@:
	cmp	x11, #8
	b.lo	.Lcopy_below_8_\@
	ldr	x14, [x10], #8
	str	x14, [x13], #8
	sub	x11, x11, #8
	b	.Lcopy_8_\@
.Lcopy_byte_\@:
	ldrb	w14, [x10], #1
	strb	w14, [x13], #1
	sub	x11, x11, #1
.Lcopy_below_8_\@:
	cbnz	x11, .Lcopy_byte_\@
.endm

/* The same for a string: a 0 byte, which another thread must have put there since its length was taken,
 * becomes a question mark, and one is written behind it all. Clobbers x15 and x16, too. */
.macro COPY_STRING
	mov	x16, #0x0101010101010101
.Lstring_8_\@:
	cmp	x11, #8
	b.lo	.Lstring_below_8_\@
	ldr	x14, [x10]
	sub	x15, x14, x16
	bic	x15, x15, x14
	tst	x15, #0x8080808080808080
	b.ne	.Lstring_byte_\@
	str	x14, [x13], #8
	add	x10, x10, #8
	sub	x11, x11, #8
	b	.Lstring_8_\@
.Lstring_byte_\@:
	ldrb	w14, [x10], #1
	mov	w15, #'?'
	cmp	w14, #0
	csel	w14, w15, w14, eq
	strb	w14, [x13], #1
	sub	x11, x11, #1
.Lstring_below_8_\@:
	cbnz	x11, .Lstring_byte_\@
	strb	wzr, [x13], #1
.endm

/* Of the struct ring_append at x0, behind the clock in \after; clobbers x1, x2. An odd number is of a
 * change that is not over. */
.macro CHECK_RULES other, after
	ldr	x1, [x0, #APPEND_RULES]
	eor	x2, \after, \after
	add	x1, x1, x2
	ldar	w1, [x1]
	ldr	w2, [x0, #APPEND_RULES_NUMBER]
	eor	w1, w1, w2
	tst	w1, #0xfffffffe
	b.ne	\other
.endm

/*
 * enum ring_result ring_append(struct ring_append *a)
 */
	.balign	64
	.globl	ring_append
	.hidden	ring_append
	.type	ring_append, %function
ring_append:
	.cfi_startproc
	THREAD	x9
	RSEQ_AREA x9, x9
	ENTER	.Lappend_section, x9
.Lappend_start:
	ldr	w1, [x0, #APPEND_CPU]
	ldr	w2, [x9, #RSEQ_CPU_ID]
	cmp	w1, w2
	b.ne	.Lappend_restart
	ldr	x1, [x0, #APPEND_LIVE]
	ldr	w2, [x0, #APPEND_LIVE_TAG]
	ldr	w1, [x1]
	cmp	w1, w2
	b.ne	.Lappend_gone
	ldr	x8, [x0, #APPEND_RING]
	ldr	x1, [x0, #APPEND_EXPECTED_HEAD]
	ldr	x2, [x8, #RING_HEAD]
	cmp	x1, x2
	b.ne	.Lappend_restart
	CHECK_RULES .Lappend_other_rules, x1
	ldr	w1, [x0, #APPEND_IS_SWITCH]
	cbz	w1, .Lappend_copy
	ldr	x1, [x0, #APPEND_OPENED]
	str	x1, [x8, #RING_OPENED]
	dmb	ishst
.Lappend_copy:
	ldr	x13, [x0, #APPEND_DEST]
	ldr	x10, [x0, #APPEND_PREFIX]
	ldr	x11, [x0, #APPEND_PREFIX_BYTES]
	COPY
	ldr	x4, [x0, #APPEND_PARTS]
	ldr	w5, [x0, #APPEND_PART_COUNT]
	b	.Lappend_parts_next
.Lappend_part:
	ldr	x10, [x4, #PART_DATA]
	ldr	w11, [x4, #PART_BYTES]
	ldr	w1, [x4, #PART_IS_STRING]
	cbnz	w1, .Lappend_string
	COPY
	b	.Lappend_part_done
.Lappend_string:
	COPY_STRING
.Lappend_part_done:
	add	x4, x4, #PART_SIZE
	sub	w5, w5, #1
.Lappend_parts_next:
	cbnz	w5, .Lappend_part
	CLOCK	x12
	str	x12, [x0, #APPEND_RET_TS]
	ldr	w1, [x0, #APPEND_MARK]
	cmn	w1, #1
	b.eq	.Lappend_extended
	lsr	x2, x12, #27
	ldr	w3, [x0, #APPEND_WINDOW]
	cmp	w2, w3
	b.ne	.Lappend_new_window
	ldr	x2, [x0, #APPEND_DEST]
	orr	w1, w1, w12, lsl #5
	str	w1, [x2]
	b	.Lappend_commit
.Lappend_extended:
	ldr	x2, [x0, #APPEND_TS_AT]
	str	x12, [x2]
	ldr	x2, [x0, #APPEND_TS_AT + 8]
	cbz	x2, .Lappend_table
	str	x12, [x2]
.Lappend_table:
	ldr	w1, [x0, #APPEND_IS_SWITCH]
	cbz	w1, .Lappend_commit
	ldr	x2, [x0, #APPEND_CLOSING]
	cbz	x2, .Lappend_opening
	str	x12, [x2, #SUBBUF_END_TS]
	ldr	x1, [x0, #APPEND_EXPECTED_HEAD]
	str	x1, [x2, #SUBBUF_CONTENT_END]
	ldp	x1, x3, [x8, #RING_LOST]
	stp	x1, x3, [x2, #SUBBUF_LOST]
	ldp	x1, x3, [x8, #RING_LOST + 16]
	stp	x1, x3, [x2, #SUBBUF_LOST + 16]
.Lappend_opening:
	ldr	x2, [x0, #APPEND_OPENING]
	str	x12, [x2, #SUBBUF_BEGIN_TS]
	ldr	x1, [x0, #APPEND_OPENING_NUMBER]
	str	x1, [x2, #SUBBUF_NUMBER]
.Lappend_commit:
	CHECK_RULES .Lappend_other_rules, x12
	ldr	x1, [x0, #APPEND_NEW_HEAD]
	stlr	x1, [x8]
.Lappend_end:
	mov	w0, #0
	ret
.Lappend_restart:
	mov	w0, #1
	ret
.Lappend_new_window:
	mov	w0, #2
	ret
.Lappend_gone:
	mov	w0, #3
	ret
.Lappend_other_rules:
	mov	w0, #4
	ret
ABORT .Lappend_abort
	b	.Lappend_restart
	.cfi_endproc
	.size	ring_append, . - ring_append
SECTION .Lappend_section, .Lappend_start, .Lappend_end, .Lappend_abort

/*
 * int ring_slot_copy(struct ring_slot *to, const struct ring_slot *from)
 */
	.balign	64
	.globl	ring_slot_copy
	.hidden	ring_slot_copy
	.type	ring_slot_copy, %function
ring_slot_copy:
	.cfi_startproc
	THREAD	x9
	RSEQ_AREA x9, x9
	ENTER	.Lslot_section, x9
.Lslot_start:
	mov	w2, #-1
	str	w2, [x0, #SLOT_TAG]
	ldp	x2, x3, [x1, #SLOT_RING]
	stp	x2, x3, [x0, #SLOT_RING]
	ldp	x2, x3, [x1, #SLOT_LIMIT]
	stp	x2, x3, [x0, #SLOT_LIMIT]
	ldr	w2, [x1, #SLOT_WINDOW]
	str	w2, [x0, #SLOT_WINDOW]
	ldr	w2, [x1, #SLOT_CPU]
	str	w2, [x0, #SLOT_CPU]
	ldr	w2, [x1, #SLOT_TAG]
	str	w2, [x0, #SLOT_TAG]
.Lslot_end:
	mov	w0, #0
	ret
ABORT .Lslot_abort
	mov	w0, #1
	ret
	.cfi_endproc
	.size	ring_slot_copy, . - ring_slot_copy
SECTION .Lslot_section, .Lslot_start, .Lslot_end, .Lslot_abort

#endif

	.section .note.GNU-stack, "", %progbits
