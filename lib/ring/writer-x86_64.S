/* SPDX-License-Identifier: MIT */
/*
 * writer-x86_64.S - the restartable sections (ring/writer.h says what they are for).
 *
 * RULES of a section: from its start to its end no call, no instruction that cannot simply be done
 * again, and one store that makes everything before it true. If the thread is preempted, migrated
 * or gets a signal anywhere between the labels start and end, the kernel continues it at the abort
 * label instead. x86 keeps stores in order, so the fences of format/ring.h cost nothing here.
 *
 * rseq_cs is left pointing to the last descriptor: libtacho is never unloaded (-z nodelete).
 */
#include "ring/have-rseq.h"

#ifdef TACHO_HAVE_RSEQ
#include "ring/macros-x86_64.h"

/* What tacho_emit_parts has on its stack where it is routed: the tag of the channel that is done, and
 * hot; behind them six registers, and where it returns to: there the stack pointer was at first. */
#define ROUTED_DONE  0
#define ROUTED_PLACE 8
#define ROUTED_ENTRY 64

/* Where tacho_emit_parts_from keeps the caller's address, from there: below all that. */
#define FROM_CALLER (-ROUTED_ENTRY - 8)

	.hidden	tacho_thread
	.hidden	ring_rseq_at
	.hidden	ring_contexts_number
	.hidden	tacho_emit_word_slow
	.hidden	tacho_emit_parts_slow
	.hidden	tacho_emit_word_listed
	.hidden	tacho_emit_parts_listed

	.text

/*
 * void tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes)
 *
 *	restart:
 *		rseq_cs = this section
 *	start:
 *		ts = clock
 *		slot = the thread's slot 0, hot = event->hot
 *		if  ts >> 27 != slot.window		a compact header will not do
 *		or  slot.cpu != rseq.cpu_id		we were migrated since
 *		or  *event->state != hot->bits		other sessions want it, or none any more
 *		or  slot.tag != hot->tag		not the channel of this slot, or not so simple
 *		or  slot.head != ring->head		another writer was here
 *		or  head + 4 + bytes > slot.limit	the sub-buffer is full
 *			emit_word_routed, or the slow path
 *		(ts << 5 | id), payload to bias + head	invisible: behind head
 *		slot.head += 4 + bytes			see ring/writer.h
 *		ring->head += 4 + bytes			write:B, the commit
 *	end:
 *
 * 8 bytes of payload are stored whatever `bytes` says: slot.limit is before the slack.
 *
 * The clock is read first, since reading it waits for what is before it, but not for what comes
 * behind. Nobody writes to this CPU's rings between start and end, so the record before is older.
 * What does not depend on the CPU and only changes when an object is registered or unloaded, the
 * addresses in the event, is loaded before the section (doc/performance.md has the numbers).
 */

/*
 * THE REST OF THE WAY of an event that is not the simplest (RING_ROUTED()): with contexts, with an id
 * that takes a medium header, into a channel that has not slot 0, or into two of them. The clock is
 * read already, which is most of what an event costs. So the section is handed over: the store to
 * rseq_cs is in tacho_emit_word's range, and where the other's begins. (One range may lie in another.)
 *
 *	routed:
 *		registers below the stack pointer	not pushed: this may begin anew
 *		done = none
 *		rseq_cs = this section
 *	routed start:
 *		place = event->hot
 *	one:
 *		word = *place
 *		as tacho_emit_word, but with the slot that the word names; or if the contexts of the
 *		word are not those that the thread keeps, or they may be others by now
 *			slow path, for all channels but the one that is done
 *		header, contexts, payload to bias + head
 *		ring->head = behind them		write:B, the commit
 *	routed end:
 *		slot.head = the same, as tacho_emit_parts does it
 *		if the word says that there is more
 *			place = the second one, done = this channel
 *			rseq_cs = this section, ts = clock, and again from `one`
 */
.macro SAVE_ALL
	movq	%rbx, -8(%rsp)
	movq	%rbp, -16(%rsp)
	movq	%r12, -24(%rsp)
	movq	%r13, -32(%rsp)
	movq	%r14, -40(%rsp)
.endm

.macro ALL_ARE_SAVED
	.cfi_offset %rbx, -16
	.cfi_offset %rbp, -24
	.cfi_offset %r12, -32
	.cfi_offset %r13, -40
	.cfi_offset %r14, -48
.endm

.macro RESTORE_ALL
	movq	-8(%rsp), %rbx
	movq	-16(%rsp), %rbp
	movq	-24(%rsp), %r12
	movq	-32(%rsp), %r13
	movq	-40(%rsp), %r14
.endm

/* The tag of the channel that is done. */
#define WORD_DONE -48

	.balign	64
	.globl	tacho_emit_word
	.type	tacho_emit_word, @function
tacho_emit_word:
	.cfi_startproc
	movq	%rdx, %rcx
.Lword_restart:
	movq	tacho_thread@gottpoff(%rip), %r8
	movq	ring_rseq_at(%rip), %r9
	leaq	.Lword_section(%rip), %rax
	movq	EVENT_HOT(%rdi), %r10
	movq	EVENT_STATE(%rdi), %r11
	testb	$HOT_IS_LISTED, %r10b
	jne	.Lword_listed
	movq	%rax, %fs:RSEQ_CS(%r8, %r9)
.Lword_start:
	rdtsc
	shldl	$5, %eax, %edx
	cmpl	%fs:SLOT_WINDOW(%r8), %edx
	jne	.Lword_routed
	CHECK	.Lword_routed, .Lword_slow
	leaq	COMPACT_BYTES(%r11, %rcx), %rdx
	cmpq	%fs:SLOT_LIMIT(%r8), %rdx
	jbe	.Lword_write
	jmp	.Lword_slow
.Lword_routed:
	SAVE_ALL
	.cfi_remember_state
	ALL_ARE_SAVED
	movl	$0, WORD_DONE(%rsp)
	movq	ring_rseq_at(%rip), %r9
	leaq	.Lrouted_section(%rip), %r10
	movq	%r10, %fs:RSEQ_CS(%r8, %r9)
.Lrouted_start:
	movl	%eax, %ebx
	movq	EVENT_HOT(%rdi), %r13
	testb	$HOT_IS_LISTED, %r13b
	jne	.Lrouted_slow
	movq	EVENT_STATE(%rdi), %r11
	jmp	.Lrouted_one
	.cfi_restore_state
.Lword_write:
	shldq	$5, %r10, %rax
	movq	%fs:SLOT_BIAS(%r8), %r10
	movl	%eax, (%r10, %r11)
	movq	%rsi, COMPACT_BYTES(%r10, %r11)
	movq	%rdx, %fs:SLOT_HEAD(%r8)
	movq	%rdx, RING_HEAD(%r9)
.Lword_end:
	ret
.Lword_slow:
	movq	%rcx, %rdx
	movq	(%rsp), %rcx
	xorl	%r8d, %r8d
	jmp	tacho_emit_word_slow
.Lword_listed:
	movq	%rcx, %rdx
	leaq	-HOT_IS_LISTED(%r10), %rcx
	jmp	tacho_emit_word_listed
ABORT .Lword_abort
	jmp	.Lword_restart
.Lrouted_more:
	ALL_ARE_SAVED
	btrl	$ROUTED_BIT, %ebp
	movl	%ebp, WORD_DONE(%rsp)
	addq	$HOT_MORE_AT, %r13
	movq	EVENT_STATE(%rdi), %r11
	leaq	.Lrouted_section(%rip), %r10
	movq	%r10, %fs:RSEQ_CS(%r8, %r9)
	rdtsc
	movl	%eax, %ebx
	shldl	$5, %eax, %edx
.Lrouted_one:
	CHECK_ROUTED %r13, %rcx, %rbp, %r12, %r10, %rdx, %r14, .Lrouted_slow, %edx
	movq	%fs:SLOT_BIAS(%r12), %r11
	addq	%rdx, %r11
	shll	$5, %ebx
	movq	%rbp, %rax
	shrq	$ROUTED_ID_SHIFT, %rax
	cmpl	$ID_COMPACT_MAX, %eax
	ja	.Lrouted_medium
	orl	%eax, %ebx
	movl	%ebx, (%r11)
	addq	$COMPACT_BYTES, %r11
	jmp	.Lrouted_header_end
.Lrouted_medium:
	orl	$ID_MEDIUM, %ebx
	movl	%ebx, (%r11)
	movw	%ax, COMPACT_BYTES(%r11)
	addq	$MEDIUM_BYTES, %r11
.Lrouted_header_end:
	testq	%r14, %r14
	jz	.Lrouted_contexts_end
	COPY_CONTEXTS %r11, %r14, %r12, (%rsp), %rbx, %ebx
.Lrouted_contexts_end:
	movq	%rsi, (%r11)
	addq	%rcx, %r11
	subq	%fs:SLOT_BIAS(%r12), %r11
	movq	%r11, RING_HEAD(%r10)
.Lrouted_end:
	KEEP_HEAD routed, %r12, %r10, %rdx, %r11
.Lrouted_is_kept:
	btq	$ROUTED_MORE_BIT, %rbp
	jc	.Lrouted_more
	RESTORE_ALL
	ret
.Lrouted_slow:
	movl	WORD_DONE(%rsp), %r8d
	RESTORE_ALL
	movq	%rcx, %rdx
	movq	(%rsp), %rcx
	jmp	tacho_emit_word_slow
ABORT .Lrouted_abort
	jmp	.Lrouted_slow
ABORT .Lrouted_keep_abort
	jmp	.Lrouted_is_kept
	.cfi_endproc
	.size	tacho_emit_word, . - tacho_emit_word
SECTION .Lword_section, .Lword_start, .Lword_end, .Lword_abort
SECTION .Lrouted_section, .Lrouted_start, .Lrouted_end, .Lrouted_abort
SECTION .Lrouted_keep_section, .Lrouted_keep_start, .Lrouted_keep_end, .Lrouted_keep_abort

/*
 * void tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts, uint32_t count)
 * void tacho_emit_parts_from(struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
 *			      const void *caller)
 *
 * The same for a payload of any form. They differ in where the caller's address is, from the stack
 * pointer: where the first returns to, or below it, where the second has put it.
 *
 *
 *		size = 4 + sum of the parts
 *	start:
 *		as tacho_emit_word, but the clock is read when all but the window is checked
 *		header, then parts to bias + head + 4
 *		ring->head = behind them		write:B, the commit
 *	end:
 *		rseq_cs = the second section
 *	keep start:
 *		if slot.ring == ring and slot.head == head
 *			slot.head += size
 *	keep end:
 *	abort:
 *		slow path: a payload that takes longer to copy than the signals are apart would
 *		restart for ever here; the slow path gives up at some time
 */
.macro EMIT_PARTS function, name, caller
	.balign	64
	.globl	\function
	.type	\function, @function
\function:
	.cfi_startproc
.if \caller
	movq	%rcx, \caller(%rsp)
.endif
	movq	EVENT_HOT(%rdi), %r10
	testb	$HOT_IS_LISTED, %r10b
	jne	.L\name\()_listed
	PUSH_ALL
	movq	%rdi, %rbx
	movq	%rsi, %rbp
	movl	%edx, %r12d
	movl	$COMPACT_BYTES, %r13d
	jmp	.L\name\()_sum_next
.L\name\()_sum:
	movl	PART_BYTES(%rsi), %eax
	addq	%rax, %r13
	movl	PART_IS_STRING(%rsi), %eax
	addq	%rax, %r13
	addq	$PART_SIZE, %rsi
	decl	%edx
.L\name\()_sum_next:
	testl	%edx, %edx
	jnz	.L\name\()_sum
	movq	tacho_thread@gottpoff(%rip), %r8
	movq	ring_rseq_at(%rip), %r9
	leaq	.L\name\()_section(%rip), %rax
	movq	EVENT_STATE(%rbx), %r11
	movq	%rax, %fs:RSEQ_CS(%r8, %r9)
.L\name\()_start:
	CHECK	.L\name\()_routed, .L\name\()_slow
	leaq	(%r11, %r13), %rax
	cmpq	%fs:SLOT_LIMIT(%r8), %rax
	ja	.L\name\()_slow
	rdtsc
	shldl	$5, %eax, %edx
	cmpl	%edx, %fs:SLOT_WINDOW(%r8)
	jne	.L\name\()_slow
	shldq	$5, %r10, %rax
	movq	%r9, %rdi
	movq	%fs:SLOT_BIAS(%r8), %r9
	movl	%eax, (%r9, %r11)
	leaq	COMPACT_BYTES(%r9, %r11), %r9
	movq	%rbp, %r10
	movl	%r12d, %edx
	COPY_PARTS %r10, %edx
	leaq	(%r11, %r13), %rdx
	movq	%rdx, RING_HEAD(%rdi)
.L\name\()_end:
	movq	ring_rseq_at(%rip), %r9
	KEEP_HEAD \name, %r8, %rdi, %r11, %rdx
.L\name\()_return:
	.cfi_remember_state
	POP_ALL
	ret
	.cfi_restore_state
.L\name\()_slow:
	movq	%rbx, %rdi
	movq	%rbp, %rsi
	movl	%r12d, %edx
	.cfi_remember_state
	POP_ALL
	movq	\caller(%rsp), %rcx
	xorl	%r8d, %r8d
	jmp	tacho_emit_parts_slow
	.cfi_restore_state
	.cfi_remember_state
	.cfi_adjust_cfa_offset -32
	.cfi_restore %rbx
	.cfi_restore %rbp
	.cfi_restore %r12
	.cfi_restore %r13
.L\name\()_listed:
	leaq	-HOT_IS_LISTED(%r10), %rcx
	movq	\caller(%rsp), %r8
	jmp	tacho_emit_parts_listed
	.cfi_restore_state
ABORT .L\name\()_abort
	jmp	.L\name\()_slow
ABORT .L\name\()_keep_abort
	jmp	.L\name\()_return

/*
 * The same for an event that is not the simplest, as for a small one above. The clock is not read yet, so
 * this begins anew.
 */
.L\name\()_routed:
	PUSH	%r14
	PUSH	%r15
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	movq	$0, ROUTED_DONE(%rsp)
	movq	EVENT_HOT(%rbx), %r10
	testb	$HOT_IS_LISTED, %r10b
	jne	.L\name\()_routed_slow
.L\name\()_routed_one:
	movq	%r10, ROUTED_PLACE(%rsp)
	movq	EVENT_STATE(%rbx), %r11
	movq	ring_rseq_at(%rip), %r9
	leaq	.L\name\()_routed_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%r8, %r9)
.L\name\()_routed_start:
	CHECK_ROUTED %r10, %r13, %r14, %r15, %rdi, %rdx, %rcx, .L\name\()_routed_slow
	movq	%rdx, %r11
	rdtsc
	shldl	$5, %eax, %edx
	cmpl	%edx, %fs:SLOT_WINDOW(%r15)
	jne	.L\name\()_routed_slow
	WRITE_ROUTED \name\()_routed, ROUTED_ENTRY + \caller(%rsp)
.L\name\()_routed_end:
	movq	%r9, %rdx
	movq	ring_rseq_at(%rip), %r9
	KEEP_HEAD \name\()_routed, %r15, %rdi, %r11, %rdx
.L\name\()_routed_is_kept:
	btq	$ROUTED_MORE_BIT, %r14
	jnc	.L\name\()_routed_return
	movl	%r14d, %eax
	btrl	$ROUTED_BIT, %eax
	movq	%rax, ROUTED_DONE(%rsp)
	movq	ROUTED_PLACE(%rsp), %r10
	addq	$HOT_MORE_AT, %r10
	jmp	.L\name\()_routed_one
.L\name\()_routed_return:
	.cfi_remember_state
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	POP	%r15
	POP	%r14
	POP_ALL
	ret
	.cfi_restore_state
.L\name\()_routed_slow:
	movq	%rbx, %rdi
	movq	%rbp, %rsi
	movl	%r12d, %edx
	movl	ROUTED_DONE(%rsp), %r8d
	.cfi_remember_state
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	POP	%r15
	POP	%r14
	POP_ALL
	movq	\caller(%rsp), %rcx
	jmp	tacho_emit_parts_slow
	.cfi_restore_state
ABORT .L\name\()_routed_abort
	jmp	.L\name\()_routed_slow
ABORT .L\name\()_routed_keep_abort
	jmp	.L\name\()_routed_is_kept
	.cfi_endproc
	.size	\function, . - \function
SECTION .L\name\()_section, .L\name\()_start, .L\name\()_end, .L\name\()_abort
SECTION .L\name\()_keep_section, .L\name\()_keep_start, .L\name\()_keep_end, .L\name\()_keep_abort
SECTION .L\name\()_routed_section, .L\name\()_routed_start, .L\name\()_routed_end, \
	.L\name\()_routed_abort
SECTION .L\name\()_routed_keep_section, .L\name\()_routed_keep_start, .L\name\()_routed_keep_end, \
	.L\name\()_routed_keep_abort
.endm

EMIT_PARTS tacho_emit_parts, parts, 0
EMIT_PARTS tacho_emit_parts_from, from, FROM_CALLER

/* Of the struct ring_append at %rdi; clobbers %rdx. An odd number is of a change that is not over. */
.macro CHECK_RULES other
	movq	APPEND_RULES(%rdi), %rdx
	movl	(%rdx), %edx
	xorl	APPEND_RULES_NUMBER(%rdi), %edx
	testl	$-2, %edx
	jnz	\other
.endm

/*
 * enum ring_result ring_append(struct ring_append *a)
 *
 *		rseq_cs = this section
 *	start:
 *		if (a->cpu != rseq.cpu_id)             return RESTART
 *		if (*a->live != a->live_tag)           return GONE
 *		if (ring->head != a->expected_head)    return RESTART
 *		if (*a->rules != a->rules_number)      return OTHER_RULES, nothing is overwritten
 *		if (a->is_switch)
 *			ring->opened = a->opened                          open:A
 *		                                                          open:B (x86: nothing)
 *		copy prefix and parts to a->dest
 *		a->ret_ts = ts = clock
 *		if (a->mark == EXTENDED)
 *			store ts at a->ts_at[0], [1]
 *		else if (ts >> 27 != a->window)        return NEW_WINDOW
 *		else	store (ts << 5 | a->mark) at a->dest
 *		if (a->is_switch)
 *			closing: end_ts, content_end, lost                open:C
 *			opening: number, begin_ts                         open:D
 *		if (*a->rules != a->rules_number)      return OTHER_RULES: ts may be behind the
 *		                                       end of the tool that changed them
 *		ring->head = a->new_head                                  write:B, open:F
 *	end:
 *		return DONE
 *	abort:
 *		return RESTART
 */
	.balign	64
	.globl	ring_append
	.hidden	ring_append
	.type	ring_append, @function
ring_append:
	.cfi_startproc
	PUSH	%rbx
	RSEQ_AREA %rbx
	leaq	.Lappend_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%rbx)
.Lappend_start:
	movl	APPEND_CPU(%rdi), %eax
	cmpl	%eax, %fs:RSEQ_CPU_ID(%rbx)
	jne	.Lappend_restart
	movq	APPEND_LIVE(%rdi), %rax
	movl	APPEND_LIVE_TAG(%rdi), %ecx
	cmpl	%ecx, (%rax)
	jne	.Lappend_gone
	movq	APPEND_RING(%rdi), %r8
	movq	APPEND_EXPECTED_HEAD(%rdi), %rax
	cmpq	%rax, RING_HEAD(%r8)
	jne	.Lappend_restart
	CHECK_RULES .Lappend_other_rules
	cmpl	$0, APPEND_IS_SWITCH(%rdi)
	je	.Lappend_copy
	movq	APPEND_OPENED(%rdi), %rax
	movq	%rax, RING_OPENED(%r8)
.Lappend_copy:
	movq	APPEND_DEST(%rdi), %r9
	movq	APPEND_PREFIX(%rdi), %rsi
	movq	APPEND_PREFIX_BYTES(%rdi), %rcx
	COPY
	movq	APPEND_PARTS(%rdi), %r10
	movl	APPEND_PART_COUNT(%rdi), %r11d
	COPY_PARTS %r10, %r11d
	rdtsc
	shlq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, APPEND_RET_TS(%rdi)
	movl	APPEND_MARK(%rdi), %ecx
	cmpl	$-1, %ecx
	je	.Lappend_extended
	movq	%rax, %rdx
	shrq	$27, %rdx
	cmpl	%edx, APPEND_WINDOW(%rdi)
	jne	.Lappend_new_window
	movq	APPEND_DEST(%rdi), %rdx
	shll	$5, %eax
	orl	%ecx, %eax
	movl	%eax, (%rdx)
	jmp	.Lappend_commit
.Lappend_extended:
	movq	APPEND_TS_AT(%rdi), %rdx
	movq	%rax, (%rdx)
	movq	APPEND_TS_AT + 8(%rdi), %rdx
	testq	%rdx, %rdx
	jz	.Lappend_table
	movq	%rax, (%rdx)
.Lappend_table:
	cmpl	$0, APPEND_IS_SWITCH(%rdi)
	je	.Lappend_commit
	movq	APPEND_CLOSING(%rdi), %rdx
	testq	%rdx, %rdx
	jz	.Lappend_opening
	movq	%rax, SUBBUF_END_TS(%rdx)
	movq	APPEND_EXPECTED_HEAD(%rdi), %rcx
	movq	%rcx, SUBBUF_CONTENT_END(%rdx)
	movq	RING_LOST(%r8), %rcx
	movq	%rcx, SUBBUF_LOST(%rdx)
	movq	RING_LOST + 8(%r8), %rcx
	movq	%rcx, SUBBUF_LOST + 8(%rdx)
	movq	RING_LOST + 16(%r8), %rcx
	movq	%rcx, SUBBUF_LOST + 16(%rdx)
	movq	RING_LOST + 24(%r8), %rcx
	movq	%rcx, SUBBUF_LOST + 24(%rdx)
.Lappend_opening:
	movq	APPEND_OPENING(%rdi), %rdx
	movq	%rax, SUBBUF_BEGIN_TS(%rdx)
	movq	APPEND_OPENING_NUMBER(%rdi), %rcx
	movq	%rcx, SUBBUF_NUMBER(%rdx)
.Lappend_commit:
	CHECK_RULES .Lappend_other_rules
	movq	APPEND_NEW_HEAD(%rdi), %rcx
	movq	%rcx, RING_HEAD(%r8)
.Lappend_end:
	xorl	%eax, %eax
.Lappend_return:
	popq	%rbx
	.cfi_remember_state
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_restore_state
.Lappend_restart:
	movl	$1, %eax
	jmp	.Lappend_return
.Lappend_new_window:
	movl	$2, %eax
	jmp	.Lappend_return
.Lappend_gone:
	movl	$3, %eax
	jmp	.Lappend_return
.Lappend_other_rules:
	movl	$4, %eax
	jmp	.Lappend_return
ABORT .Lappend_abort
	jmp	.Lappend_restart
	.cfi_endproc
	.size	ring_append, . - ring_append
SECTION .Lappend_section, .Lappend_start, .Lappend_end, .Lappend_abort

/*
 * int ring_slot_copy(struct ring_slot *to, const struct ring_slot *from)
 *
 *	start:
 *		to->tag = EMPTY
 *		copy all but the tag
 *		to->tag = from->tag			the commit
 *	end:
 *		return 0
 *	abort:
 *		return 1
 */
	.balign	64
	.globl	ring_slot_copy
	.hidden	ring_slot_copy
	.type	ring_slot_copy, @function
ring_slot_copy:
	RSEQ_AREA %r9
	leaq	.Lslot_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%r9)
.Lslot_start:
	movl	$-1, SLOT_TAG(%rdi)
	movq	SLOT_RING(%rsi), %rax
	movq	%rax, SLOT_RING(%rdi)
	movq	SLOT_HEAD(%rsi), %rax
	movq	%rax, SLOT_HEAD(%rdi)
	movq	SLOT_LIMIT(%rsi), %rax
	movq	%rax, SLOT_LIMIT(%rdi)
	movq	SLOT_BIAS(%rsi), %rax
	movq	%rax, SLOT_BIAS(%rdi)
	movl	SLOT_WINDOW(%rsi), %eax
	movl	%eax, SLOT_WINDOW(%rdi)
	movl	SLOT_CPU(%rsi), %eax
	movl	%eax, SLOT_CPU(%rdi)
	movl	SLOT_TAG(%rsi), %eax
	movl	%eax, SLOT_TAG(%rdi)
.Lslot_end:
	xorl	%eax, %eax
	ret
ABORT .Lslot_abort
	movl	$1, %eax
	ret
	.size	ring_slot_copy, . - ring_slot_copy
SECTION .Lslot_section, .Lslot_start, .Lslot_end, .Lslot_abort

#endif

	.section .note.GNU-stack, "", @progbits
