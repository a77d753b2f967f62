/* SPDX-License-Identifier: MIT */
/*
 * functions_pg-x86_64.S - __fentry__(), mcount() and _mcount(); see functions_pg.h
 *
 *      event has a state, and that is not 0?   else go on to the real function
 *      keep the registers that may hold arguments: general ones, then vectors
 *      functions_pg_entered(where it was called from, where the caller goes on)
 *      give them back, go on to the real function
 *
 * How wide vectors are kept. Their lower 128 bits always. What is above them is changed only by code
 * of the C library that uses AVX and ends with VZEROUPPER. If there are nothing but zeros already,
 * that is no change; and giving zeros back would leave the registers as if they were in use, which
 * makes SSE code slow. (XGETBV tells whether they are in use, but takes 20 ns.)
 *
 * Vectors 8 to 15 hold no arguments: they are free, as is %r11.
 */
#include "functions_pg.h"

	.hidden	functions_pg_entry
	.hidden	functions_pg_entered
	.hidden	functions_pg_called
	.hidden	functions_pg_look
	.hidden	functions_pg_vectors
	.hidden	functions_pg_real_fentry
	.hidden	functions_pg_real_mcount

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

	.macro	RECORD_KEEPING record, move, register, bytes
	KEEP	\move, \register, \bytes
	call	\record
	GIVE_BACK \move, \register, \bytes
	jmp	.Lrecorded_\record
	.endm

/* ZF: is all of %xmm8 zero? If so, what is above 128 bits is, in each register. */
	.macro	FOLD_256
	vorps	%ymm0, %ymm1, %ymm8
	.irp	n, 2, 3, 4, 5, 6, 7
	vorps	%ymm\n, %ymm8, %ymm8
	.endr
	vextractf128 $1, %ymm8, %xmm8
	vptest	%xmm8, %xmm8
	.endm

	.macro	FOLD_512
	vporq	%zmm0, %zmm1, %zmm8
	.irp	n, 2, 3, 4, 5, 6, 7
	vporq	%zmm\n, %zmm8, %zmm8
	.endr
	vextracti64x4 $1, %zmm8, %ymm9
	vextracti128 $1, %ymm9, %xmm10
	vextracti128 $1, %ymm8, %xmm8
	vpor	%xmm9, %xmm8, %xmm8
	vpor	%xmm10, %xmm8, %xmm8
	vptest	%xmm8, %xmm8
	.endm

	.macro	RECORD record
	cmpl	$VECTORS_256, functions_pg_vectors(%rip)
	jb	.Lnarrow_\record
	ja	.Lwidest_\record
	FOLD_256
	jz	.Lclean_\record
	RECORD_KEEPING \record, vmovaps, ymm, 32
.Lwidest_\record:
	FOLD_512
	jz	.Lclean_\record
	RECORD_KEEPING \record, vmovaps, zmm, 64
.Lclean_\record:
	vzeroupper
.Lnarrow_\record:
	RECORD_KEEPING \record, movaps, xmm, 16
.Lrecorded_\record:
	.endm

	.text

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
	cmpl	$VECTORS_UNKNOWN, functions_pg_vectors(%rip)
	jne	.Lknown_\@
	call	functions_pg_look
.Lknown_\@:
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
