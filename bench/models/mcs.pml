/* The queue lock of Mellor-Crummey and Scott: a linked list of waiting processes, built with
 * fetch-and-store and taken down with compare-and-swap; every process spins on its own flag.
 *
 * -DN=3   processes (NIL is N)
 */
#ifndef N
#define N 3
#endif
#define NIL N

byte tail = NIL;
byte next[N] = NIL;
bool wait[N];
byte inside;

active [N] proctype P()
{
	byte before;

	do
	:: next[_pid] = NIL;
		d_step { before = tail; tail = _pid }
		if
		:: before != NIL ->
			wait[_pid] = true;
			next[before] = _pid;
			!wait[_pid]
		:: else
		fi;
		inside++;
		assert(inside == 1);
		inside--;
		if
		:: next[_pid] == NIL ->
			if
			:: d_step { tail == _pid; tail = NIL }; goto out
			:: d_step { tail != _pid; skip }
			fi;
			next[_pid] != NIL
		:: else
		fi;
		wait[next[_pid]] = false;
out:		before = NIL
	od
}
