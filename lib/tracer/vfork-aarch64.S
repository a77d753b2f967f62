/* SPDX-License-Identifier: MIT */
/*
 * vfork-aarch64.S - pid_t vfork(void), in place of the C library's; vfork-x86_64.S says why. There is no
 * such system call here, and what a child does to the stack is nothing to the return address, which is
 * in a register.
 */
#include "ring/have-rseq.h"

#if defined(TACHO_HAVE_RSEQ) && defined(__aarch64__)
#include <asm/unistd.h>

#include "ring/writer-layout.h"

/* CLONE_VM, CLONE_VFORK, SIGCHLD */
#define CLONE_FLAGS 0x4111

	.hidden	tacho_thread

	.text
	.balign	64
	.globl	vfork
	.type	vfork, %function
vfork:
	.cfi_startproc
	mrs	x9, tpidr_el0
	adrp	x10, :gottprel:tacho_thread
	ldr	x10, [x10, :gottprel_lo12:tacho_thread]
	add	x9, x9, x10
	ldr	w10, [x9, #THREAD_IN_VFORK]
	mov	w11, #1
	str	w11, [x9, #THREAD_IN_VFORK]
	mov	w11, #-1
	.set	slot, 0
.rept SLOT_COUNT
	str	w11, [x9, #slot * SLOT_SIZE + SLOT_TAG]
	.set	slot, slot + 1
.endr
	mov	x0, #CLONE_FLAGS
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #__NR_clone
	svc	#0
	cbz	x0, .Lchild
	str	w10, [x9, #THREAD_IN_VFORK]
	tbnz	x0, #63, .Lfailed
.Lchild:
	ret
.Lfailed:
	stp	x29, x30, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	neg	w0, w0
	str	w0, [sp, #16]
	bl	__errno_location
	ldr	w1, [sp, #16]
	str	w1, [x0]
	mov	w0, #-1
	ldp	x29, x30, [sp], #32
	.cfi_adjust_cfa_offset -32
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	vfork, . - vfork
#endif

	.section .note.GNU-stack, "", %progbits
