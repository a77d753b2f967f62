/* SPDX-License-Identifier: MIT */
/*
 * chosen-x86_64.S - the restartable sections of events whose destinations were chosen by C code
 * (tracer/hot_list.h). The rules are those of writer-x86_64.S.
 */
#include "ring/have-rseq.h"

#ifdef TACHO_HAVE_RSEQ
#include "ring/macros-x86_64.h"

/* Where ring_write finds its seventh argument, behind six registers and its own return address. */
#define WRITE_CALLER 56

	.hidden	tacho_thread
	.hidden	ring_rseq_at
	.hidden	ring_contexts_number

	.text

/*
 * bool ring_write(const struct ring_list *list, uint32_t number, uint64_t word,
 *		   const struct tacho_part *parts, uint32_t count, uint64_t bytes, const void *caller)
 *
 *		rseq_cs = this section
 *	start:
 *		ts = clock
 *		if list->number != number		others have decided by now
 *		or *list->state != list->bits
 *			return false
 *		as a routed event of tacho_emit_parts, by the word; false where that takes the slow path
 *		ring->head = behind the record		write:B, the commit
 *	end:
 *		slot.head = the same, as there
 *		return true
 *	abort:
 *		return false
 */
	.balign	64
	.globl	ring_write
	.hidden	ring_write
	.type	ring_write, @function
ring_write:
	.cfi_startproc
	PUSH_ALL
	PUSH	%r14
	PUSH	%r15
	movq	%rdi, %r10
	movq	%rdx, %r14
	movq	%rcx, %rbp
	movl	%r8d, %r12d
	movq	%r9, %r13
	movq	LIST_STATE(%rdi), %r11
	movq	tacho_thread@gottpoff(%rip), %r8
	movq	ring_rseq_at(%rip), %r9
	leaq	.Lwrite_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%r8, %r9)
.Lwrite_start:
	rdtsc
	movl	%eax, %ebx
	shldl	$5, %eax, %edx
	cmpl	LIST_NUMBER(%r10), %esi
	jne	.Lwrite_slow
	movl	(%r11), %eax
	cmpl	LIST_BITS(%r10), %eax
	jne	.Lwrite_slow
	CHECK_WORD %r13, %r14, %r15, %rdi, %r10, %rcx, .Lwrite_slow, %edx
	movq	%r10, %r11
	movl	%ebx, %eax
	WRITE_ROUTED write, WRITE_CALLER(%rsp)
.Lwrite_end:
	movq	%r9, %rdx
	movq	ring_rseq_at(%rip), %r9
	KEEP_HEAD write, %r15, %rdi, %r11, %rdx
.Lwrite_is_kept:
	movl	$1, %eax
.Lwrite_return:
	.cfi_remember_state
	POP	%r15
	POP	%r14
	POP_ALL
	ret
	.cfi_restore_state
.Lwrite_slow:
	xorl	%eax, %eax
	jmp	.Lwrite_return
ABORT .Lwrite_abort
	jmp	.Lwrite_slow
ABORT .Lwrite_keep_abort
	jmp	.Lwrite_is_kept
	.cfi_endproc
	.size	ring_write, . - ring_write
SECTION .Lwrite_section, .Lwrite_start, .Lwrite_end, .Lwrite_abort
SECTION .Lwrite_keep_section, .Lwrite_keep_start, .Lwrite_keep_end, .Lwrite_keep_abort

/*
 * bool ring_write_word(const struct ring_list *list, uint32_t number, uint64_t word, uint64_t payload,
 *			uint64_t bytes)
 *
 * The same of a small event without contexts, which is short enough to store slot.head before the commit,
 * as tacho_emit_word does.
 */
	.balign	64
	.globl	ring_write_word
	.hidden	ring_write_word
	.type	ring_write_word, @function
ring_write_word:
	movq	%rdx, %r10
	movq	%r8, %r9
	movq	LIST_STATE(%rdi), %r11
	movq	tacho_thread@gottpoff(%rip), %r8
	movq	ring_rseq_at(%rip), %rdx
	leaq	.Lwrite_word_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%r8, %rdx)
.Lwrite_word_start:
	rdtsc
	shldl	$5, %eax, %edx
	cmpl	LIST_NUMBER(%rdi), %esi
	jne	.Lwrite_word_slow
	movl	(%r11), %r11d
	cmpl	LIST_BITS(%rdi), %r11d
	jne	.Lwrite_word_slow
	SLOT_OF	%r10, %rdi
	movq	ring_rseq_at(%rip), %rsi
	movl	%fs:RSEQ_CPU_ID(%r8, %rsi), %esi
	cmpl	%fs:SLOT_CPU(%rdi), %esi
	jne	.Lwrite_word_slow
	movl	%r10d, %esi
	btrl	$ROUTED_BIT, %esi
	cmpl	%fs:SLOT_TAG(%rdi), %esi
	jne	.Lwrite_word_slow
	cmpl	%fs:SLOT_WINDOW(%rdi), %edx
	jne	.Lwrite_word_slow
	movq	%fs:SLOT_RING(%rdi), %rsi
	movq	%fs:SLOT_HEAD(%rdi), %r11
	cmpq	RING_HEAD(%rsi), %r11
	jne	.Lwrite_word_slow
	leaq	MEDIUM_BYTES(%r11, %r9), %rdx
	cmpq	%fs:SLOT_LIMIT(%rdi), %rdx
	ja	.Lwrite_word_slow
	movq	%fs:SLOT_BIAS(%rdi), %rdx
	addq	%r11, %rdx
	shll	$5, %eax
	shrq	$ROUTED_ID_SHIFT, %r10
	cmpl	$ID_COMPACT_MAX, %r10d
	ja	.Lwrite_word_medium
	orl	%r10d, %eax
	movl	%eax, (%rdx)
	movq	%rcx, COMPACT_BYTES(%rdx)
	leaq	COMPACT_BYTES(%r11, %r9), %r11
	jmp	.Lwrite_word_commit
.Lwrite_word_medium:
	orl	$ID_MEDIUM, %eax
	movl	%eax, (%rdx)
	movw	%r10w, COMPACT_BYTES(%rdx)
	movq	%rcx, MEDIUM_BYTES(%rdx)
	leaq	MEDIUM_BYTES(%r11, %r9), %r11
.Lwrite_word_commit:
	movq	%r11, %fs:SLOT_HEAD(%rdi)
	movq	%r11, RING_HEAD(%rsi)
.Lwrite_word_end:
	movl	$1, %eax
	ret
.Lwrite_word_slow:
	xorl	%eax, %eax
	ret
ABORT .Lwrite_word_abort
	jmp	.Lwrite_word_slow
	.size	ring_write_word, . - ring_write_word
SECTION .Lwrite_word_section, .Lwrite_word_start, .Lwrite_word_end, .Lwrite_word_abort

#endif

	.section .note.GNU-stack, "", @progbits
