/* SPDX-License-Identifier: MIT */
/* macros-x86_64.h - what the restartable sections of writer-x86_64.S and chosen-x86_64.S are made of. */
#ifndef TACHO_RING_MACROS_X86_64_H
#define TACHO_RING_MACROS_X86_64_H

#include "ring/writer-layout.h"

#define RSEQ_SIGNATURE 0x53053053

/*
 * A section's descriptor, and what debuggers need to step over it instead of restarting it for
 * ever.
 */
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

/* The abort label: the kernel looks for the signature before it. As the operand of a trapping
 * instruction it disassembles to something. */
.macro ABORT label
	.byte	0x0f, 0xb9, 0x3d
	.long	RSEQ_SIGNATURE
\label:
.endm

.macro PUSH register
	pushq	\register
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \register, 0
.endm

.macro POP register
	popq	\register
	.cfi_adjust_cfa_offset -8
	.cfi_restore \register
.endm

.macro PUSH_ALL
	PUSH	%rbx
	PUSH	%rbp
	PUSH	%r12
	PUSH	%r13
.endm

.macro POP_ALL
	POP	%r13
	POP	%r12
	POP	%rbp
	POP	%rbx
.endm

/* Where the thread's rseq area is, from the thread pointer. */
.macro RSEQ_AREA register
	movq	tacho_thread@gottpoff(%rip), \register
	addq	ring_rseq_at(%rip), \register
.endm

/*
 * Copy %rcx bytes from %rsi to %r9, which then points behind them; clobbers %rax, %rcx, %rsi, %xmm1.
 * Reads and writes nothing beyond: the last bytes are copied as a whole word that ends with them
 * and overlaps what was copied before.
 */
.macro COPY
	cmpl	$16, %ecx
	jb	.Lcopy_below_16_\@
.Lcopy_16_\@:
	movdqu	(%rsi), %xmm1
	movdqu	%xmm1, (%r9)
	addq	$16, %rsi
	addq	$16, %r9
	subl	$16, %ecx
	cmpl	$16, %ecx
	jae	.Lcopy_16_\@
	movdqu	-16(%rsi, %rcx), %xmm1
	movdqu	%xmm1, -16(%r9, %rcx)
	addq	%rcx, %r9
	jmp	.Lcopy_end_\@
.Lcopy_below_16_\@:
	cmpl	$8, %ecx
	jb	.Lcopy_below_8_\@
	movq	(%rsi), %xmm1
	movq	%xmm1, (%r9)
	movq	-8(%rsi, %rcx), %xmm1
	movq	%xmm1, -8(%r9, %rcx)
	addq	%rcx, %r9
	jmp	.Lcopy_end_\@
.Lcopy_below_8_\@:
	cmpl	$4, %ecx
	jb	.Lcopy_below_4_\@
	movd	(%rsi), %xmm1
	movd	%xmm1, (%r9)
	movd	-4(%rsi, %rcx), %xmm1
	movd	%xmm1, -4(%r9, %rcx)
	addq	%rcx, %r9
	jmp	.Lcopy_end_\@
.Lcopy_byte_\@:
	movb	(%rsi), %al
	movb	%al, (%r9)
	incq	%rsi
	incq	%r9
	decl	%ecx
.Lcopy_below_4_\@:
	testl	%ecx, %ecx
	jnz	.Lcopy_byte_\@
.Lcopy_end_\@:
.endm

/* Copy the word of a string that ends at %rsi + %rcx; \mask is of its bytes in pmovmskb's result.
 * If there is a 0 byte, go to \changed with the whole word still to be done. Needs %xmm0 = 0. */
.macro COPY_LAST_WORD move, width, mask, good, changed
	\move	-\width(%rsi, %rcx), %xmm1
	\move	%xmm1, -\width(%r9, %rcx)
	pcmpeqb	%xmm0, %xmm1
	pmovmskb %xmm1, %eax
	testl	$\mask, %eax
	jz	\good
	leaq	-\width(%rsi, %rcx), %rsi
	leaq	-\width(%r9, %rcx), %r9
	movl	$\width, %ecx
	jmp	\changed
.endm

/*
 * The same for a string: a 0 byte, which another thread must have put there since its length was
 * taken, becomes a question mark, and one is written behind it all. Then what is left of the
 * string is done byte by byte, from the first byte that is not known to be good. Clobbers %xmm0,
 * too.
 */
.macro COPY_STRING
	pxor	%xmm0, %xmm0
	cmpl	$16, %ecx
	jb	.Lstring_below_16_\@
.Lstring_16_\@:
	movdqu	(%rsi), %xmm1
	movdqu	%xmm1, (%r9)
	pcmpeqb	%xmm0, %xmm1
	pmovmskb %xmm1, %eax
	testl	%eax, %eax
	jnz	.Lstring_changed_\@
	addq	$16, %rsi
	addq	$16, %r9
	subl	$16, %ecx
	cmpl	$16, %ecx
	jae	.Lstring_16_\@
	COPY_LAST_WORD movdqu, 16, 0xffff, .Lstring_good_\@, .Lstring_changed_\@
.Lstring_below_16_\@:
	cmpl	$8, %ecx
	jb	.Lstring_below_8_\@
	movq	(%rsi), %xmm1
	movq	%xmm1, (%r9)
	pcmpeqb	%xmm0, %xmm1
	pmovmskb %xmm1, %eax
	testb	%al, %al
	jnz	.Lstring_changed_\@
	COPY_LAST_WORD movq, 8, 0xff, .Lstring_good_\@, .Lstring_changed_\@
.Lstring_below_8_\@:
	cmpl	$4, %ecx
	jb	.Lstring_changed_\@
	movd	(%rsi), %xmm1
	movd	%xmm1, (%r9)
	pcmpeqb	%xmm0, %xmm1
	pmovmskb %xmm1, %eax
	testb	$0xf, %al
	jnz	.Lstring_changed_\@
	COPY_LAST_WORD movd, 4, 0xf, .Lstring_good_\@, .Lstring_changed_\@
.Lstring_good_\@:
	addq	%rcx, %r9
	jmp	.Lstring_end_\@
.Lstring_byte_\@:
	movzbl	(%rsi), %eax
	testl	%eax, %eax
	jnz	.Lstring_put_\@
	movb	$'?', %al
.Lstring_put_\@:
	movb	%al, (%r9)
	incq	%rsi
	incq	%r9
	decl	%ecx
.Lstring_changed_\@:
	testl	%ecx, %ecx
	jnz	.Lstring_byte_\@
.Lstring_end_\@:
	movb	$0, (%r9)
	incq	%r9
.endm

/* Copy the \count parts at \parts, both of which are used up, to %r9. */
.macro COPY_PARTS parts, count
	jmp	.Lparts_next_\@
.Lparts_one_\@:
	movq	PART_DATA(\parts), %rsi
	movl	PART_BYTES(\parts), %ecx
	cmpl	$0, PART_IS_STRING(\parts)
	jne	.Lparts_string_\@
	COPY
	jmp	.Lparts_done_\@
.Lparts_string_\@:
	COPY_STRING
.Lparts_done_\@:
	addq	$PART_SIZE, \parts
	decl	\count
.Lparts_next_\@:
	testl	\count, \count
	jnz	.Lparts_one_\@
.endm

/*
 * What must hold for an event to go the fast way, as in the pseudo-code of tacho_emit_word. Needs
 * %r8 = the thread's data from the thread pointer, %r9 = its rseq area from there, %r10 = event->hot,
 * %r11 = event->state; leaves %r9 = the ring, %r10 = hot->id_and_tag, %r11 = head.
 */
.macro CHECK other, slow
	movl	%fs:RSEQ_CPU_ID(%r8, %r9), %r9d
	cmpl	%fs:SLOT_CPU(%r8), %r9d
	jne	\other
	movl	(%r11), %r11d
	cmpl	HOT_BITS(%r10), %r11d
	jne	\slow
	movq	HOT_ID_AND_TAG(%r10), %r10
	cmpl	%fs:SLOT_TAG(%r8), %r10d
	jne	\other
	movq	%fs:SLOT_RING(%r8), %r9
	movq	%fs:SLOT_HEAD(%r8), %r11
	cmpq	RING_HEAD(%r9), %r11
	jne	\slow
.endm

/* Where the slot of an event is whose hot->id_and_tag, a RING_ROUTED(), is in \word. */
.macro SLOT_OF word, slot
	movq	\word, \slot
	shrq	$ROUTED_SLOT_SHIFT, \slot
	andq	$ROUTED_SLOT_MASK, \slot
	leaq	(\slot, \slot, 2), \slot
	leaq	(%r8, \slot, 8), \slot
.endm

/* Are the thread's contexts those of \word, and as they are now? %r11 = how many bytes; clobbers %rax. */
.macro CHECK_CONTEXTS word, slow
	xorl	%r11d, %r11d
	movq	\word, %rax
	shrq	$ROUTED_SET_SHIFT, %rax
	movzbl	%al, %eax
	testl	%eax, %eax
	jz	.Lcheck_contexts_end_\@
	cmpl	%fs:KEPT_SET(%r8), %eax
	jne	\slow
	movl	ring_contexts_number(%rip), %eax
	cmpl	%fs:KEPT_NUMBER(%r8), %eax
	jne	\slow
	movl	%fs:KEPT_BYTES(%r8), %r11d
.Lcheck_contexts_end_\@:
.endm

/* What CHECK_ROUTED does when \word is loaded and right. */
.macro CHECK_WORD bytes, word, slot, ring, head, contexts, slow, window
	SLOT_OF	\word, \slot
	movl	%fs:RSEQ_CPU_ID(%r8, %r9), %eax
	cmpl	%fs:SLOT_CPU(\slot), %eax
	jne	\slow
	movq	\word, %rax
	btrl	$ROUTED_BIT, %eax
	jnc	\slow
	cmpl	%fs:SLOT_TAG(\slot), %eax
	jne	\slow
.ifnb \window
	cmpl	%fs:SLOT_WINDOW(\slot), \window
	jne	\slow
.endif
	movq	%fs:SLOT_RING(\slot), \ring
	movq	%fs:SLOT_HEAD(\slot), \head
	cmpq	RING_HEAD(\ring), \head
	jne	\slow
	CHECK_CONTEXTS \word, \slow
	movq	%r11, \contexts
	leaq	MEDIUM_BYTES(\head, %r11), %rax
	addq	\bytes, %rax
	cmpq	%fs:SLOT_LIMIT(\slot), %rax
	ja	\slow
.endm

/*
 * As CHECK, for an event whose \place has a RING_ROUTED(), and with all that tacho_emit_word checks
 * besides. Needs %r8, %r9 and %r11 as there, the payload's bytes in \bytes, and the clock's window in
 * \window where it is read already; leaves \word = hot->id_and_tag, \slot, \ring, \head, and
 * \contexts = how many bytes those have; clobbers %rax, %r11.
 */
.macro CHECK_ROUTED place, bytes, word, slot, ring, head, contexts, slow, window
	movl	(%r11), %eax
	cmpl	HOT_BITS(\place), %eax
	jne	\slow
	movq	HOT_ID_AND_TAG(\place), \word
	CHECK_WORD \bytes, \word, \slot, \ring, \head, \contexts, \slow, \window
.endm

/* Copy \bytes of contexts, at least 1, to \to, and go behind them: 16 at a time, so up to 15 more, which
 * are stored over or in the slack. \caller: where its address is. Clobbers %rax, \value and its lower
 * half, \half, and %xmm0. */
.macro COPY_CONTEXTS to, bytes, slot, caller, value, half
	xorl	%eax, %eax
.Lcontexts_16_\@:
	movdqu	%fs:KEPT_DATA(%r8, %rax), %xmm0
	movdqu	%xmm0, (\to, %rax)
	addq	$16, %rax
	cmpq	\bytes, %rax
	jb	.Lcontexts_16_\@
	movslq	%fs:KEPT_IP_AT(%r8), %rax
	testq	%rax, %rax
	js	.Lcontexts_cpu_\@
	movq	\caller, \value
	decq	\value
	movq	\value, (\to, %rax)
.Lcontexts_cpu_\@:
	movslq	%fs:KEPT_CPU_AT(%r8), %rax
	testq	%rax, %rax
	js	.Lcontexts_end_\@
	movl	%fs:SLOT_CPU(\slot), \half
	movl	\half, (\to, %rax)
.Lcontexts_end_\@:
	addq	\bytes, \to
.endm

/*
 * Write the \name's record, when all is checked and %eax is the clock: the %r12d parts at %rbp to %r11 in
 * the ring at %rdi, with the slot %r15, as the word in %r14 says, behind %rcx bytes of contexts. Leaves
 * %r9 = the head behind it, which is committed. \caller: where the caller's address is.
 */
.macro WRITE_ROUTED name, caller
	movq	%fs:SLOT_BIAS(%r15), %r9
	addq	%r11, %r9
	shll	$5, %eax
	movq	%r14, %rdx
	shrq	$ROUTED_ID_SHIFT, %rdx
	cmpl	$ID_COMPACT_MAX, %edx
	ja	.L\name\()_medium
	orl	%edx, %eax
	movl	%eax, (%r9)
	addq	$COMPACT_BYTES, %r9
	jmp	.L\name\()_header_end
.L\name\()_medium:
	orl	$ID_MEDIUM, %eax
	movl	%eax, (%r9)
	movw	%dx, COMPACT_BYTES(%r9)
	addq	$MEDIUM_BYTES, %r9
.L\name\()_header_end:
	testq	%rcx, %rcx
	jz	.L\name\()_contexts_end
	COPY_CONTEXTS %r9, %rcx, %r15, \caller, %rsi, %esi
.L\name\()_contexts_end:
	movq	%rbp, %r10
	movl	%r12d, %edx
	COPY_PARTS %r10, %edx
	subq	%fs:SLOT_BIAS(%r15), %r9
	movq	%r9, RING_HEAD(%rdi)
.endm

/* In a section of its own: the slot's head is \new, if it still is \old of \ring. Needs %r9 = the rseq
 * area from %r8; clobbers %rax. */
.macro KEEP_HEAD name, slot, ring, old, new
	leaq	.L\name\()_keep_section(%rip), %rax
	movq	%rax, %fs:RSEQ_CS(%r8, %r9)
.L\name\()_keep_start:
	cmpq	%fs:SLOT_RING(\slot), \ring
	jne	.L\name\()_kept
	cmpq	%fs:SLOT_HEAD(\slot), \old
	jne	.L\name\()_kept
	movq	\new, %fs:SLOT_HEAD(\slot)
.L\name\()_keep_end:
.L\name\()_kept:
.endm

#endif
