/* SPDX-License-Identifier: MIT */
/*
 * own.pml - the portable writer (lib/ring/writer-portable.c): several threads, each on a CPU of its own,
 * and one ring that belongs to whoever holds its owner word.
 *
 *	writer      owns the ring, or tries later; looks where the head is; stores; commits; disowns.
 *	            It may be killed between any two of these; a thread may also be interrupted there
 *	            by a signal handler that records, which is the same thread for the owner word.
 *	state       what the ring knows of its last record is right while state_head == head, and is
 *	            written before the head; so a killed owner leaves nothing that is believed.
 *	namespaces  of pids: with two, writers 1 and 3 are in one. Who asks for a thread of another one
 *	            is told that there is none.
 *	fork        in a handler, below the owner: the child would do all that its parent does from there
 *	            on. It is made to leave the ring, so there is no child but in the mutant.
 *
 * A thread's id is never used again while another looks at it. A record has one cell, and the ring never wraps: that is the matter of ring.pml, and the commit is
 * the same here.
 *
 * Held against every state:
 *	there is one owner that lives, at most
 *	what is below the head is what was committed there; nothing was committed twice
 *	the thread that the ring says wrote its last record did so
 *	in the end each record whose thread was not killed below it is in the ring, or counted as lost
 */
#ifndef WRITERS
#define WRITERS 3
#endif
#ifndef NAMESPACES
#define NAMESPACES 1
#endif
#ifndef EVENTS
#define EVENTS 1	/* of each writer */
#endif
#define LAST (WRITERS * EVENTS)

/* What must be there: 0 takes it away. */
#ifndef OWN
#define OWN 1		/* only the owner writes */
#endif
#ifndef LOOK_FOR_DEATH
#define LOOK_FOR_DEATH 1 /* only a dead owner is replaced */
#endif
#ifndef EXCHANGE
#define EXCHANGE 1	/* ... by compare and exchange, not by a store */
#endif
#ifndef OWN_B
#define OWN_B 1		/* all stores before the owner word is 0: release */
#endif
#ifndef STATE_A
#define STATE_A 1	/* state_head says that the rest is of no head, before the rest changes */
#endif
#ifndef STATE_FIRST
#define STATE_FIRST 1	/* the state before the head */
#endif
#ifndef CHECK_STATE
#define CHECK_STATE 1	/* the state is believed only if it is of this head */
#endif
#ifndef OWN_ONCE
#define OWN_ONCE 1	/* a handler does not write to a ring that its own thread owns */
#endif

#ifndef ASK_AT_HOME
#define ASK_AT_HOME 1	/* only of the own pid namespace it can be known that an owner is dead */
#endif
#ifndef CHILD_LEAVES
#define CHILD_LEAVES 1	/* a child that was forked below the owner leaves the ring */
#endif

byte head;	/* cells that are committed */
byte owner;	/* 0: nobody; else who */
byte state_head, state_writer;
byte cell[LAST + 1];

/* What happened; nobody decides by it. */
byte committed[LAST + 1];	/* by whom */
byte tried, lost;
byte owners;			/* that live, and have not committed yet */
bool is_dead[WRITERS + 1];	/* what the kernel says of a thread */

#define IS_FOREIGN(who) ((who) % NAMESPACES != me % NAMESPACES)
#define SEEMS_DEAD(who) (IS_FOREIGN(who) -> !ASK_AT_HOME : is_dead[who])

#define TO_CELL   1
#define TO_STATE  2
#define TO_WRITER 4
#define TO_HEAD   8
#define TO_DISOWN 16
#define TO_ALL    31
#define HAS(what)  ((todo & (what)) != 0)
#define DONE(what) todo = todo & ~(what)

inline look()
{
	owners++;
	assert(owners == 1);
	position = head;
	todo = TO_ALL;
	if
	:: position > 0 && (!CHECK_STATE || state_head == position) ->
		assert(state_writer == committed[position - 1])
	:: else
	fi
}

inline commit()
{
	assert(head == position);
	committed[position] = me;
	head = position + 1;
	owners--
}

/* A handler that records, in a thread that owns the ring. */
inline handle_signal()
{
	handled = true;
	tried++;
	if
	:: OWN_ONCE -> lost++
	:: else -> cell[head] = me; committed[head] = me; head = head + 1
	fi
}

/* Forked below the owner. */
proctype child(byte me, position)
{
	cell[position] = me;
	state_head = position + 1;
	state_writer = me;
	head = position + 1;
	owner = 0
}

proctype writer(byte me)
{
	byte found, position, todo, record;
	bool handled;
event:
	atomic {
		found = 0; position = 0; todo = 0;
		if
		:: record < EVENTS -> record++; tried++
		:: else -> goto end
		fi
	}
	if
	:: atomic { OWN && owner == 0 -> owner = me }
	:: atomic { OWN && owner != 0 -> found = owner }
	:: !OWN
	fi;
	if
	:: found == 0
	:: atomic { found != 0 && LOOK_FOR_DEATH && !SEEMS_DEAD(found) -> lost++; goto event }
	:: atomic { found != 0 && (SEEMS_DEAD(found) || !LOOK_FOR_DEATH) -> skip }
	   if
	   :: atomic { EXCHANGE && owner == found -> owner = me }
	   :: atomic { EXCHANGE && owner != found -> lost++; goto event }
	   :: !EXCHANGE -> owner = me
	   fi
	fi;
	atomic { look() }
	do
	:: atomic { HAS(TO_CELL) -> cell[position] = me; DONE(TO_CELL) }
	:: atomic { HAS(TO_STATE) -> state_head = position + 1; DONE(TO_STATE) }
	:: atomic { HAS(TO_WRITER) && !(STATE_A && HAS(TO_STATE)) -> state_writer = me; DONE(TO_WRITER) }
	:: atomic {
		HAS(TO_HEAD) && !HAS(TO_CELL) && !(STATE_FIRST && HAS(TO_STATE | TO_WRITER)) ->
		commit();
		DONE(TO_HEAD)
	   }
	:: atomic { HAS(TO_DISOWN) && (todo == TO_DISOWN || !OWN_B) -> owner = 0; DONE(TO_DISOWN) }
	:: atomic { todo == 0 -> goto event }
	:: atomic { HAS(TO_HEAD) && !handled -> handle_signal() }
	:: atomic { !CHILD_LEAVES && HAS(TO_HEAD) && !handled -> handled = true; run child(me, position) }
	:: atomic {		/* killed */
		HAS(TO_DISOWN) ->
		is_dead[me] = true;
		if :: HAS(TO_HEAD) -> owners--; tried-- :: else fi;
		todo = 0;
		goto end
	   }
	od;
end:
	skip
}

/* A snapshot looks at one cell, any one, at any time; and when all is over the books are closed. */
active proctype reader()
{
	byte seen, i;
	seen = head;
	do :: i + 1 < seen -> i++ :: break od;
	assert(seen == 0 || cell[i] == committed[i]);
	timeout -> assert(tried == head + lost)
}

init
{
	byte i;
	atomic {
		i = 1;
		do :: i <= WRITERS -> run writer(i); i++ :: else -> break od
	}
}
