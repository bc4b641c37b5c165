/* Ricart and Agrawala with one mailbox for each process: every order in which messages come is another trace,
 * so that a cover grows fast (ricart_agrawala.pml has a channel for each pair). With ERROR, a process that
 * waits grants every request, whatever its own time stamp.
 *     gyre bench/cover/mailbox.pml --cover --ef-sum 'P incs > 1'          */
#ifndef N
#define N 5
#endif
chan box[N] = [2 * N] of { bit, byte, byte }; /* kind, sender, time stamp */
#define REQUEST 0
#define REPLY   1

inline grant(who) { box[who]!REPLY, id, 0 }

active [N] proctype P()
{
	byte id = _pid, replies, who, stamp, i;
	bit kind, waiting, deferred[N];
	bit incs;

	i = 0;
	waiting = 1;
	do
	:: i < N ->
		if
		:: i != id -> box[i]!REQUEST, id, id
		:: else
		fi;
		i++
	:: else -> break
	od;
	do
	:: replies < N - 1 ->
		box[id]?kind, who, stamp;
		if
		:: kind == REPLY -> replies++
#ifdef ERROR
		:: kind == REQUEST -> grant(who)
#else
		:: kind == REQUEST && stamp < id -> grant(who)
		:: kind == REQUEST && stamp > id -> deferred[who] = 1
#endif
		fi
	:: else -> break
	od;
	incs = 1;
	incs = 0;
	i = 0;
	do
	:: i < N && deferred[i] -> deferred[i] = 0; grant(i); i++
	:: i < N && !deferred[i] -> i++
	:: else -> break
	od;
end:	do
	:: box[id]?kind, who, stamp ->
		if
		:: kind == REQUEST -> grant(who)
		:: else
		fi
	od
}
