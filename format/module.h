/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * module.h - what a tool tells the kernel module, by ioctl(2) on /dev/tacho.
 *
 * The module records into ring files that a tool has made (ring.h, TACHO_WRITER_KERNEL): the tool
 * maps the file, TACHO_MODULE_ATTACH pins the pages below that mapping, and from then on neither the
 * mapping nor the tool is needed. A RECORDER is one such file; it is named by the session it belongs to
 * and the channel's number, and lives until TACHO_MODULE_DETACH or until the module is unloaded.
 *
 *	ATTACH    rings                  nothing is recorded yet
 *	BELL      who is to be told when a sub-buffer is opened; a newer one replaces it
 *	EVENT     a tracepoint or a system call, its id in the rings, its recipe: recorded from now on
 *	FORGET    one of them, or all
 *	NEXT      the event behind an id: what a recorder records now
 *	WHOM      threads: all, or some and what they start; which threads never
 *	DETACH    when this returns, nobody writes to the rings any more
 *	LOOK      the n-th recorder: for what a killed tool has left behind
 *
 * Each call is made with CAP_SYS_ADMIN, takes one structure of fixed size, which holds no pointer but
 * the address of the mapping, and is whole when it returns: what failed has changed nothing. Errors:
 * EINVAL what was said makes no sense; ENOENT no such recorder, tracepoint or event; EEXIST it is there
 * already; ENOSPC a bound below; EBADF no eventfd; EBADMSG the rings are damaged; EPERM no right to, or
 * the kernel is locked down.
 *
 * A RECIPE says what an event's payload is: operations, one behind the other, each of which appends
 * bytes. They work on WORDS: the tracepoint's arguments as the kernel passes them, of 64 bits each. An
 * argument that is smaller has anything in its upper bits: take as many bytes as it has. Of a system
 * call, at its begin: its six arguments; at its end: what it returns. A LOAD
 * reads the kernel's memory at word + offset; where there is none, zeros are recorded. A FOLLOW appends
 * nothing: what it loads is one of the words behind the arguments, for operations that come after it.
 *
 * A STRING is at word + offset, in the kernel's memory or in that of the program that runs, and appended
 * with a 0 byte: as much of it as can be read without waiting, and never more than TACHO_STRING_BYTES_MAX.
 */
#ifndef TACHO_FORMAT_MODULE_H
#define TACHO_FORMAT_MODULE_H

#include "port.h"
#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

#define TACHO_MODULE_DEVICE  "/dev/tacho"
#define TACHO_MODULE_VERSION 2

#define TACHO_RECORDERS_MAX       64
#define TACHO_RECORDER_EVENTS_MAX 4096
#define TACHO_ARGUMENTS_MAX       12 /* of a tracepoint */
#define TACHO_WORDS_MAX           16 /* arguments, and from TACHO_ARGUMENTS_MAX on what FOLLOW loads */
#define TACHO_SYSCALLS_MAX        1024
#define TACHO_STRING_BYTES_MAX    256  /* with its 0 byte */
#define TACHO_PAYLOAD_BYTES_MAX   1024 /* of a recipe with strings, these at their longest */
#define TACHO_FETCHES_MAX         48 /* operations of a recipe */
#define TACHO_TRACEPOINT_MAX      64 /* bytes of a tracepoint's name, with its 0 byte */

enum tacho_fetch_kind {
	TACHO_FETCH_END = 0,
	TACHO_FETCH_WORD_8 = 1, /* the low 8, 4, .. bytes of a word */
	TACHO_FETCH_WORD_4 = 2,
	TACHO_FETCH_WORD_2 = 3,
	TACHO_FETCH_WORD_1 = 4,
	TACHO_FETCH_LOAD_8 = 5, /* as many bytes at word + offset */
	TACHO_FETCH_LOAD_4 = 6,
	TACHO_FETCH_LOAD_2 = 7,
	TACHO_FETCH_LOAD_1 = 8,
	TACHO_FETCH_LOAD_16 = 9,
	TACHO_FETCH_LOAD_4_4 = 10, /* 4 bytes at word + offset, 4 at word + second_offset */
	TACHO_FETCH_LOAD_8_8 = 11,
	/* 48 bytes: the six arguments of a system call, from the struct pt_regs at the word; no offset */
	TACHO_FETCH_ARGUMENTS = 12,
	TACHO_FETCH_LOAD_4_ADD = 13, /* 4 bytes at word + offset, and second_offset, signed, added */
	/* 8 bytes: the low 4 of the word; or, where the low byte of the word number `offset` is not 0,
	 * second_offset */
	TACHO_FETCH_UNLESS = 14,
	TACHO_FETCH_FOLLOW = 15, /* word number second_offset = the 8 bytes at word + offset */
	TACHO_FETCH_KERNEL_STRING = 16,
	TACHO_FETCH_USER_STRING = 17,
	TACHO_FETCH_KIND_MAX = 17,
};

/* What an event is of. */
enum tacho_point {
	TACHO_POINT_TRACEPOINT = 0,
	TACHO_POINT_SYSCALL_ENTRY = 1, /* of programs of 64 bits */
	TACHO_POINT_SYSCALL_EXIT = 2,
	TACHO_POINT_MAX = 2,
};

enum tacho_whom {
	TACHO_WHOM_ALL = 0,         /* all threads again, but for those to be spared; tid is 0 */
	TACHO_WHOM_THREAD = 1,      /* this one, besides those named before; nobody else */
	TACHO_WHOM_DESCENDANTS = 2, /* and the threads and processes that it starts from now on, and theirs */
	TACHO_WHOM_SPARE = 3,       /* not this one, whoever else is recorded */
	TACHO_WHOM_MAX = 3,
};

struct tacho_fetch {
	uint8_t kind; /* enum tacho_fetch_kind; behind the END there is nothing but zeros */
	uint8_t word; /* which argument, from 0 */
	uint16_t offset;
	uint16_t second_offset; /* 0 where the kind does not use it */
	uint16_t reserved;      /* 0 */
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_fetch) == 8, "layout of struct tacho_fetch");

struct tacho_recorder_name {
	uint64_t session_instance; /* tacho_session.instance, as in the ring file */
	uint64_t directory;        /* whose session it is: the inode of the runtime directory */
	uint32_t channel;
	uint32_t reserved; /* 0 */
};

struct tacho_module_version {
	uint32_t version; /* out: TACHO_MODULE_VERSION */
	uint32_t reserved;
};

struct tacho_module_attach {
	struct tacho_recorder_name name;
	uint64_t rings_address; /* where the whole ring file is mapped, shared, to be written */
	uint64_t rings_bytes;
};

struct tacho_module_event {
	struct tacho_recorder_name name;
	uint32_t event_id; /* TACHO_ID_FIRST to TACHO_ID_MEDIUM_MAX, one event each */
	uint32_t reserved; /* 0 */
	uint16_t point;    /* enum tacho_point */
	uint16_t syscall;  /* its number; 0 of a tracepoint */
	/* The argument, counted from 1, that points to the thread that it is about, which is recorded if
	 * that is (WHOM); 0: there is none. */
	uint16_t subject;
	uint16_t reserved_too;              /* 0 */
	/* "" of a system call */
	char tracepoint[TACHO_TRACEPOINT_MAX];
	struct tacho_fetch fetch[TACHO_FETCHES_MAX]; /* the last is an END */
};

struct tacho_module_forget {
	struct tacho_recorder_name name;
	uint32_t event_id; /* 0: all */
	uint32_t reserved; /* 0 */
};

/*
 * Who asks by storing 1 into the word, tacho_triggers.drain_sleeps (trigger.h), is told: the module makes
 * it 0 and adds 1 to the eventfd. Then its reader wakes who waits for the word by futex(2), which the
 * kernel's modules cannot. The page of the word and the eventfd are kept; neither the caller nor its
 * mapping is needed.
 */
struct tacho_module_bell {
	struct tacho_recorder_name name;
	uint64_t word_address; /* of 32 bits, in a shared mapping */
	int32_t event_fd;      /* -1: nobody is told from now on */
	uint32_t reserved;     /* 0 */
};

struct tacho_module_look {
	uint32_t index; /* in: from 0 */
	uint32_t event_count;
	struct tacho_recorder_name name; /* out */
};

struct tacho_module_next {
	struct tacho_recorder_name name;
	uint32_t event_id; /* in and out: the smallest that is larger than this one; ENOENT: none */
	uint32_t reserved; /* 0 */
};

struct tacho_module_whom {
	struct tacho_recorder_name name;
	uint32_t whom; /* enum tacho_whom */
	uint32_t tid;  /* as the caller sees it; ESRCH: there is none */
};

#define TACHO_MODULE_GET_VERSION _IOR('t', 0x40, struct tacho_module_version)
#define TACHO_MODULE_ATTACH      _IOW('t', 0x41, struct tacho_module_attach)
#define TACHO_MODULE_EVENT       _IOW('t', 0x42, struct tacho_module_event)
#define TACHO_MODULE_FORGET      _IOW('t', 0x43, struct tacho_module_forget)
#define TACHO_MODULE_DETACH      _IOW('t', 0x44, struct tacho_recorder_name)
#define TACHO_MODULE_LOOK        _IOWR('t', 0x45, struct tacho_module_look)
#define TACHO_MODULE_BELL        _IOW('t', 0x48, struct tacho_module_bell)
#define TACHO_MODULE_NEXT        _IOWR('t', 0x46, struct tacho_module_next)
#define TACHO_MODULE_WHOM        _IOW('t', 0x47, struct tacho_module_whom)

static inline int tacho_fetch_is_string(uint32_t kind)
{
	return kind == TACHO_FETCH_KERNEL_STRING || kind == TACHO_FETCH_USER_STRING;
}

/* The bytes that an operation appends; of a string, the most. */
static inline uint32_t tacho_fetch_bytes(uint32_t kind)
{
	static const uint16_t bytes[TACHO_FETCH_KIND_MAX + 1] = {
		0, 8, 4, 2, 1, 8, 4, 2, 1, 16, 8, 16, 48, 4, 8, 0, TACHO_STRING_BYTES_MAX,
		TACHO_STRING_BYTES_MAX,
	};

	return kind <= TACHO_FETCH_KIND_MAX ? bytes[kind] : 0;
}

#endif
