/* SPDX-License-Identifier: MIT */
/*
 * ring.pml - the protocol of format/ring.h with restartable sequences, small enough to look at every
 * interleaving: two threads on the ring's CPU write, and a drain or a snapshot reads.
 *
 *	scheduler   takes the CPU from a thread between any two of its steps. Then its section begins
 *	            anew, whether it was preempted or a signal handler records in the meantime; where
 *	            it never gets the CPU again it was killed there.
 *	writer      plans (outside the section), checks the plan, stores, commits. A record has one
 *	            cell or two, so that sub-buffers end with a gap or without.
 *	reader      OVERWRITE=1: a snapshot of any sub-buffer at any time. OVERWRITE=0: the drain,
 *	            which may be killed between any two steps and is followed by another: all it
 *	            finds is the trace.
 *
 * WEAK MACHINES. Stores of the writer, and loads of the reader, are done in every order that the
 * barriers of ring.h leave open; each barrier, and each step that must be there, is a switch below,
 * so that ring.sh can show that nothing holds without it. (A store of an aborted attempt that is seen
 * late is one of these: the same CPU's later release comes behind it.)
 *
 * Held against every state:
 *	a copy that its reader finds intact is what was committed there, cell by cell, to the end
 *	in discard mode nothing that was not copied is overwritten, and nothing is copied twice
 *	every event that found the ring full is in `lost`
 *	nobody commits between the reading of a record's clock and its own commit
 *
 * Nobody decides anything by what is in a sub-buffer, and all that is claimed of a copy is claimed of
 * each value in it. So one value is enough, chosen before all begins: a cell of one of the places, or
 * what the table says of that place.
 */
#ifndef OVERWRITE
#define OVERWRITE 0
#endif
#ifndef N
#define N 2		/* places of sub-buffers */
#endif
#define CAPACITY 3	/* cells of a sub-buffer */
#ifndef LAST
#define LAST 7		/* a head from which on no event happens any more */
#endif
#define LOST_MAX 2

/* What must be there: 0 takes it away. */
#ifndef OPEN_A
#define OPEN_A 1	/* opened is stored */
#endif
#ifndef OPEN_B
#define OPEN_B 1	/* ... before what overwrites */
#endif
#ifndef OPEN_C
#define OPEN_C 1	/* where the content ends is stored */
#endif
#ifndef WRITE_B
#define WRITE_B 1	/* head after all else: release */
#endif
#ifndef READ_A
#define READ_A 1	/* head before all else: acquire */
#endif
#ifndef READ_C
#define READ_C 1	/* opened after all else: the fence */
#endif
#ifndef READ_D
#define READ_D 1	/* opened is looked at */
#endif
#ifndef READ_E
#define READ_E 1	/* released after the copy */
#endif
#ifndef FULL
#define FULL 1		/* a place is reused only when released */
#endif
#ifndef COUNT_LOST
#define COUNT_LOST 1	/* by an atomic add */
#endif
#ifndef RESTART
#define RESTART 1	/* a section that was left begins anew */
#endif
#ifndef CHECK_HEAD
#define CHECK_HEAD 1	/* ... and sees whether the plan still holds */
#endif
#ifndef CLOCK_INSIDE
#define CLOCK_INSIDE 1	/* the clock is read in the section */
#endif
#ifndef RESUME
#define RESUME 1	/* a drain goes on behind what is in the trace */
#endif

/* Shared memory. */
byte head;	/* a position: sub-buffer * CAPACITY + cells in it; 0: nothing written */
byte opened;
byte released;
byte lost;
byte memory;	/* the value that is looked at */

/* Which it is. */
byte place;	/* of sub-buffers place, place + N, ... */
byte what;	/* a cell, or */
#define THE_NUMBER CAPACITY
#define THE_END    (CAPACITY + 1)

/* The trace, of which the drain decides by how many sub-buffers are in it. */
byte in_trace;

/* What happened; nobody decides by it. */
byte committed[LAST / CAPACITY / N + 1];	/* the value, in each lap; 0: there is none */
byte missed;
bool is_late[2];	/* another committed since this one read its clock */

bit running;
bool in_section[2];
bool was_away[2];	/* from the section that it is in */

/* A writer's own: here so that the scheduler forgets with it what will not be looked at again. */
byte size[2];
byte planned[2];
byte todo[2];

#define SUBBUF(position) (((position) - 1) / CAPACITY)

/* Stores that a writer has still to do. */
#define TO_OPEN  1
#define TO_VALUE 2
#define TO_HEAD  4

#define HAS(store)  ((todo[me] & (store)) != 0)
#define DONE(store) todo[me] = todo[me] & ~(store)
#define GOES_ON     (running == me && !was_away[me])
#define IS_SWITCH   (planned[me] == 0 || SUBBUF(planned[me]) < SUBBUF(planned[me] + size[me]))
#define K           (planned[me] == 0 -> 0 : SUBBUF(planned[me] + size[me]))
#define POSITION    (IS_SWITCH -> K * CAPACITY : planned[me])
#define IS_FULL     (FULL && !OVERWRITE && IS_SWITCH && K >= N && K - N >= released)
#define AT          (POSITION % CAPACITY)
#define ENDS        (IS_SWITCH && K > 0 && (K - 1) % N == place)

/* Is the value one that this writer stores? */
#define STORES_CELL   (what < CAPACITY && K % N == place && what >= AT && what < AT + size[me])
#define STORES_NUMBER (what == THE_NUMBER && K % N == place && IS_SWITCH)
#define STORES_END    (what == THE_END && ENDS)
#define STORES        (STORES_CELL || STORES_NUMBER || (OPEN_C && STORES_END))
#define VALUE         (what < CAPACITY -> 1 + 2 * K + me : (what == THE_NUMBER -> K + 1 : planned[me]))

inline forget(who)
{
	size[who] = 0;
	planned[who] = 0;
	todo[who] = 0;
	is_late[who] = false
}

inline plan()
{
	was_away[me] = false;
	in_section[me] = false;
	planned[me] = head;
	if :: size[me] = 1 :: size[me] = 2 fi
}

inline enter()
{
	in_section[me] = true;
	is_late[me] = is_late[me] && !CLOCK_INSIDE;
	todo[me] = TO_HEAD | (IS_SWITCH && OPEN_A -> TO_OPEN : 0) | (STORES -> TO_VALUE : 0)
}

inline commit()
{
	assert(!is_late[me]);
	is_late[1 - me] = true;
	if
	:: STORES_CELL || STORES_NUMBER -> committed[K / N] = VALUE
	:: STORES_END -> committed[(K - 1) / N] = VALUE
	:: else
	fi;
	head = POSITION + size[me]
}

proctype writer(bit me)
{
	byte found;
event:
	atomic {
		running == me && head < LAST && missed < LOST_MAX;
		forget(me);
		found = 0;
		if :: CLOCK_INSIDE -> plan() :: else fi
	}
	if
	:: atomic { !CLOCK_INSIDE && running == me -> plan() }
	:: CLOCK_INSIDE
	fi;
	if
	:: atomic {
		running == me && IS_FULL ->
		missed++;
		if
		:: COUNT_LOST -> lost++; assert(lost == missed); forget(me); goto event
		:: else -> found = lost
		fi
	   }
	   atomic { running == me -> lost = found + 1; assert(lost == missed); forget(me); goto event }
	:: atomic {
		running == me && !IS_FULL ->
		if :: CHECK_HEAD && head != planned[me] -> forget(me); goto event :: else fi;
		enter()
	   }
	fi;
	do
	:: atomic { running == me && was_away[me] -> was_away[me] = false; goto event }
	:: atomic { GOES_ON && HAS(TO_OPEN) -> opened = K + 1; DONE(TO_OPEN) }
	:: atomic { GOES_ON && HAS(TO_VALUE) && !(OPEN_B && HAS(TO_OPEN)) ->
		memory = VALUE; DONE(TO_VALUE) }
	:: atomic { GOES_ON && HAS(TO_HEAD) && (todo[me] == TO_HEAD || !WRITE_B) ->
		commit();
		DONE(TO_HEAD);
		in_section[me] = false;
		if :: todo[me] == 0 -> forget(me); goto event :: else fi
	   }
	:: atomic { running == me && !HAS(TO_HEAD) && todo[me] == 0 -> forget(me); goto event }
	od
}

active proctype scheduler()
{
	do
	:: atomic {
		if
		:: RESTART && in_section[running] ->
			was_away[running] = true;
			in_section[running] = false;
			forget(running)
		:: else
		fi;
		running = 1 - running
	   }
	od
}

active proctype reader()
{
	byte k, value, expected;
	bool is_wrong, is_closed, is_stale;
begin:
	atomic {
		value = 0; expected = 0; is_wrong = false; is_closed = false; is_stale = false;
		if
		:: OVERWRITE -> k = place; do :: k < LAST / CAPACITY - N -> k = k + N :: break od
		:: !OVERWRITE -> k = in_trace
		:: !OVERWRITE && !RESUME && in_trace > 0 -> k = in_trace - 1
		fi
	}
	if
	:: atomic { !OVERWRITE && released < in_trace -> released = in_trace }
	:: else
	fi;
	if
	:: !READ_A -> value = memory
	:: else
	fi;
	/* By the head it is there or not. */
	atomic {
		if :: head > 0 && k <= SUBBUF(head) :: else -> goto begin fi;
		is_closed = k < SUBBUF(head);
		expected = (k % N == place -> committed[k / N] : 0);
		if :: !is_closed && expected == 0 -> goto begin :: else fi
	}
	if
	:: !READ_C -> is_stale = opened > k + N
	:: else
	fi;
	if
	:: atomic { !READ_E && !OVERWRITE && is_closed && released == k -> released = k + 1 }
	:: else
	fi;
	atomic {
		value = (READ_A -> memory : value);
		is_wrong = expected != 0 && value != expected;
		value = 0;
		expected = 0
	}
	atomic {
		is_stale = (READ_C -> opened > k + N : is_stale);
		if
		:: READ_D && is_stale -> assert(OVERWRITE); goto begin
		:: else -> assert(!is_wrong)
		fi
	}
	/* Into the trace; only then, by the next round, it is released. */
	atomic {
		if
		:: !OVERWRITE && is_closed -> assert(in_trace == k); in_trace = k + 1
		:: else
		fi;
		goto begin
	}
}

init
{
	atomic {
		do :: place < N - 1 -> place++ :: break od;
		do :: what < THE_END -> what++ :: break od;
		run writer(0);
		run writer(1)
	}
}
