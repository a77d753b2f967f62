/* SPDX-License-Identifier: MIT */
/*
 * ring.pml - the protocol of format/ring.h, small enough to look at every interleaving.
 *
 * PLACES sub-buffers of CAPACITY records each; record number p of the whole run has the value p. The
 * writer may be aborted, or killed and followed by another, between any two of its steps: both mean
 * that it starts again with what is in shared memory. In discard mode a drain releases what it has
 * read; in overwrite mode a snapshot reads whatever is there.
 *
 * Held against every state:
 *	a reader that finds its copy intact has exactly the records of that sub-buffer, in order
 *	in discard mode no record is overwritten before it was read: written = read + in the ring
 *
 * Stores are seen in program order: x86 promises it, and elsewhere the fence open:B and the
 * releases write:B, open:F do, together with the reader's acquire and its fence read:C.
 */
#ifndef OVERWRITE
#define OVERWRITE 0
#endif
#define PLACES   3
#define CAPACITY 2
#define LAST     8	/* records that the run writes */

byte head;	/* a position is sub-buffer * CAPACITY + records in it; 0: nothing written */
byte opened;
byte released;
byte lost;
byte record[6];	/* PLACES * CAPACITY */
byte number[PLACES];
byte content_end[PLACES];
byte next_drained;	/* the record that the drain expects next */

#define SUBBUF(position) (((position) - 1) / CAPACITY)
#define AT(position)     (((position) / CAPACITY % PLACES) * CAPACITY + (position) % CAPACITY)

active proctype writer()
{
	byte h, position, k;
start:
	atomic { h = head; if :: h >= LAST -> goto done :: else fi }
	if
	:: h == 0 || h % CAPACITY == 0 ->
		k = h / CAPACITY;
		if
		:: !OVERWRITE && k >= PLACES && k - PLACES >= released ->
			/* full; the record is lost, and counted */
			if :: lost < 2 -> lost++ :: else fi;
			goto start
		:: else
		fi;
		opened = k + 1;				/* open:A */
		if :: goto start :: skip fi;
		if
		:: h > 0 -> content_end[(k - 1) % PLACES] = h	/* open:C */
		:: else
		fi;
		if :: goto start :: skip fi;
		number[k % PLACES] = k			/* open:D */
	:: else
	fi;
	if :: goto start :: skip fi;
	record[AT(h)] = h;				/* write:A, open:E */
	if :: goto start :: skip fi;
	head = h + 1;					/* write:B, open:F */
	goto start;
done:
	skip
}

/* What of sub-buffer k was there when `seen` was the head. */
inline check_copy()
{
	d_step {
		i = 0;
		do
		:: i < count ->
			assert(copy[i] == k * CAPACITY + i);
			i++
		:: else -> break
		od
	}
}

active proctype reader()
{
	byte seen, k, i, count, floor;
	byte copy[CAPACITY];
next:
	seen = head;					/* read:A */
	if :: seen == 0 -> goto next :: else fi;
	floor = opened;
	if :: floor > PLACES -> floor = floor - PLACES :: else -> floor = 0 fi;
	if
	:: !OVERWRITE ->
		if :: floor < released -> floor = released :: else fi;
		k = floor
	:: OVERWRITE ->
		/* any that may be there */
		k = floor;
		do
		:: k < SUBBUF(seen) -> k++
		:: break
		od
	fi;
	if :: k > SUBBUF(seen) -> goto again :: else fi;
	if
	:: k == SUBBUF(seen) -> count = seen - k * CAPACITY
	:: else -> count = content_end[k % PLACES] - k * CAPACITY
	fi;
	if :: count > CAPACITY -> count = CAPACITY :: else fi;	/* hostile, or overwritten */
	i = 0;
	do
	:: i < count -> copy[i] = record[(k % PLACES) * CAPACITY + i]; i++	/* read:B */
	:: else -> break
	od;
	if
	:: opened > k + PLACES ->			/* read:D */
		assert(OVERWRITE);
		goto again
	:: else
	fi;
	check_copy();
	if
	:: !OVERWRITE && k < SUBBUF(seen) ->
		assert(count == CAPACITY);
		assert(next_drained == k * CAPACITY);
		next_drained = next_drained + count;
		released = k + 1			/* read:E */
	:: else
	fi;
again:
	if
	:: goto next
	:: skip
	fi
}
