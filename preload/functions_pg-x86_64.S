/* SPDX-License-Identifier: MIT */
/*
 * functions_pg-x86_64.S - __fentry__(), mcount() and _mcount(); see functions_pg.h
 *
 *      event has a state, and that is not 0?   else go on to the real function
 *      keep the registers that may hold arguments: general ones, then vectors
 *      functions_pg_entered(where it was called from, where the caller goes on)
 *      give them back, go on to the real function
 *
 * How wide vectors are kept. The lower halves always. The rest is changed only by code of the C
 * library that uses AVX, and only if somebody's values are in it they need to be kept; if the
 * registers are clean (XGETBV 1 tells), writing to them would make all SSE code behind it slower.
 */
#include "functions_pg.h"

	.hidden	functions_pg_entry
	.hidden	functions_pg_entered
	.hidden	functions_pg_called
	.hidden	functions_pg_look
	.hidden	functions_pg_vectors
	.hidden	functions_pg_real_fentry
	.hidden	functions_pg_real_mcount

#define XINUSE_YMM 0x04
#define XINUSE_ZMM 0xc0

	.macro	KEEP move, register, bytes
	subq	$8 * \bytes, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	\move	%\register\()\n, \n * \bytes(%rsp)
	.endr
	.endm

	.macro	GIVE_BACK move, register, bytes
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	\move	\n * \bytes(%rsp), %\register\()\n
	.endr
	.endm

	.macro	RECORD record
	cmpl	$VECTORS_256, %eax
	ja	.Lwide_\@
	je	.Lymm_\@
	KEEP	movaps, xmm, 16
	call	\record
	GIVE_BACK movaps, xmm, 16
	jmp	.Lrecorded_\@
.Lymm_\@:
	KEEP	vmovaps, ymm, 32
	call	\record
	GIVE_BACK vmovaps, ymm, 32
	jmp	.Lrecorded_\@
.Lwide_\@:
	KEEP	vmovaps, zmm, 64
	call	\record
	GIVE_BACK vmovaps, zmm, 64
.Lrecorded_\@:
	.endm

	.text

/* %eax: VECTORS_128, _256 or _512. Changes %ecx and %edx. */
	.balign	16
	.type	which_vectors, @function
which_vectors:
	.cfi_startproc
	movl	functions_pg_vectors(%rip), %eax
	testl	%eax, %eax
	jnz	1f
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	functions_pg_look
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
1:	cmpl	$VECTORS_ASK, %eax
	jne	2f
	movl	$1, %ecx
	xgetbv
	movl	%eax, %ecx
	movl	$VECTORS_512, %eax
	testl	$XINUSE_ZMM, %ecx
	jnz	2f
	movl	$VECTORS_256, %eax
	testl	$XINUSE_YMM, %ecx
	jnz	2f
	movl	$VECTORS_128, %eax
2:	ret
	.cfi_endproc
	.size	which_vectors, . - which_vectors

/* CALL_SITE_name puts into %rsi where the caller goes on, by the frame in %rbp. */
	.macro	ENTRY name, real, record
	.balign	64
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	movq	functions_pg_entry(%rip), %r11
	testq	%r11, %r11
	jz	.Lreal_\@
	cmpl	$0, (%r11)
	jne	.Lrecord_\@
.Lreal_\@:
	movq	\real(%rip), %r11
	testq	%r11, %r11
	jz	.Lnone_\@
	jmp	*%r11
.Lnone_\@:
	ret
.Lrecord_\@:
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	.irp	register, rax, rcx, rdx, rsi, rdi, r8, r9, r10
	pushq	%\register
	.endr
	andq	$-64, %rsp
	call	which_vectors
	movq	8(%rbp), %rdi
	CALL_SITE_\name
	RECORD	\record
	leaq	-64(%rbp), %rsp
	.irp	register, r10, r9, r8, rdi, rsi, rdx, rcx, rax
	popq	%\register
	.endr
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp	.Lreal_\@
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.macro	CALL_SITE___fentry__
	movq	16(%rbp), %rsi
	.endm

/* The function has a frame of its own, to which %rbp pointed. */
	.macro	CALL_SITE_mcount
	movq	(%rbp), %rsi
	movq	8(%rsi), %rsi
	.endm

	ENTRY	__fentry__, functions_pg_real_fentry, functions_pg_entered
	ENTRY	mcount, functions_pg_real_mcount, functions_pg_called

	.globl	_mcount
	.set	_mcount, mcount

	.section .note.GNU-stack, "", @progbits
