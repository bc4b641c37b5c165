/* Lamport's fast mutual exclusion: two shared words x and y give a constant-time path when
 * there is no contention; otherwise the process waits for the flags of all others.
 *
 * -DN=3   processes (numbered 1..N in x and y; y == 0 means free)
 */
#ifndef N
#define N 3
#endif

bool b[N];
byte x, y;
byte inside;

active [N] proctype P()
{
	byte j;

start:	b[_pid] = true;
	x = _pid + 1;
	if
	:: y != 0 ->
		b[_pid] = false;
		y == 0;
		goto start
	:: else
	fi;
	y = _pid + 1;
	if
	:: x != _pid + 1 ->
		b[_pid] = false;
		j = 0;
		do
		:: j < N && !b[j] -> j++
		:: j == N -> break
		od;
		if
		:: y != _pid + 1 -> y == 0; goto start
		:: else
		fi
	:: else
	fi;
	inside++;
	assert(inside == 1);
	inside--;
	y = 0;
	b[_pid] = false;
	goto start
}
