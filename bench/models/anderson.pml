/* Anderson's array-based queue lock. A process draws a ticket with fetch-and-increment, waits
 * on its own slot, and on leaving opens the slot of the next. The ticket counter is brought
 * down by N when it passes the end of the array.
 *
 * -DN=4        processes
 * -DWORK=2     steps of private work between two uses of the lock
 */
#ifndef N
#define N 4
#endif
#ifndef WORK
#define WORK 2
#endif

bool may_enter[N];
byte next;
byte inside;

active [N] proctype P()
{
	byte my, w;

	if
	:: _pid == 0 -> may_enter[0] = true
	:: else
	fi;
	do
	:: w < WORK -> w++
	:: w > 0 -> w = 0;
		d_step { my = next; next++ }
		if
		:: my == N-1 -> next = next - N
		:: else -> my = my % N
		fi;
		may_enter[my];
		may_enter[my] = false;
		inside++;
		assert(inside == 1);
		inside--;
		may_enter[(my+1) % N] = true
	od
}
