/* SPDX-License-Identifier: MIT */
/*
 * vfork-x86_64.S - pid_t vfork(void), in place of the C library's.
 *
 * A child of vfork() runs in its parent's memory, thread-local data included, but the kernel does
 * not register its rseq: cpu_id says where the parent was, and a section of the child's is not
 * restarted. It could tear a ring. So the thread's slots are emptied, which sends every event of
 * the child to the slow path, and tacho_thread.in_vfork tells that one what it is about (vfork.c);
 * once the parent goes on, it is itself again, which may be another vfork child. The mark comes before
 * the slots are emptied: a signal handler in between must not fill one again.
 *
 * The return address must be off the stack while the child runs, which returns from here first.
 */
#include "ring/have-rseq.h"

#ifdef TACHO_HAVE_RSEQ
#include <asm/unistd.h>

#include "ring/writer-layout.h"

	.hidden	tacho_thread

	.text
	.balign	64
	.globl	vfork
	.type	vfork, @function
vfork:
	.cfi_startproc
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	movq	tacho_thread@gottpoff(%rip), %rdx
	movl	%fs:THREAD_IN_VFORK(%rdx), %esi
	movl	$1, %fs:THREAD_IN_VFORK(%rdx)
	.set	slot, 0
.rept SLOT_COUNT
	movl	$-1, %fs:slot * SLOT_SIZE + SLOT_TAG(%rdx)
	.set	slot, slot + 1
.endr
	movl	$__NR_vfork, %eax
	syscall
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rip, 0
	testl	%eax, %eax
	jz	.Lchild
	movl	%esi, %fs:THREAD_IN_VFORK(%rdx)
	js	.Lfailed
.Lchild:
	ret
.Lfailed:
	negl	%eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	__errno_location@PLT
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	movl	%ecx, (%rax)
	movl	$-1, %eax
	ret
	.cfi_endproc
	.size	vfork, . - vfork
#endif

	.section .note.GNU-stack, "", @progbits
