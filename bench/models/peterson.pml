/* Peterson's filter lock for N processes. A process climbs N-1 levels; on each it waits
 * until nobody else is at its level or above, or until somebody came after it. The scan over
 * the others takes one step per process, so it interleaves with everything else.
 *
 * -DN=4   processes (2..5); 4 gives the 1,119,560 states that are often quoted for it
 */
#ifndef N
#define N 4
#endif

byte level[N];		/* the level a process stands on, 0 if it is not interested */
byte last[N];		/* who came last to a level; entry 0 is that of level 1 */
byte inside;		/* processes in the critical section */

active [N] proctype P()
{
	byte l, k;

idle:	if
	:: l = 1
	fi;
climb:	if
	:: d_step { l < N; level[_pid] = l }
	:: d_step { l == N; inside++; assert(inside == 1) }; goto critical
	fi;
	d_step { last[l-1] = _pid; k = 0 }
scan:	if
	:: d_step { k < N && (k == _pid || level[k] < l); k++ }; goto scan
	:: d_step { last[l-1] != _pid || k == N; l++ }; goto climb
	fi;
critical:
	if
	:: d_step { inside--; level[_pid] = 0 }
	fi;
	goto idle
}
