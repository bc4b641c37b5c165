/* Dining philosophers. Forks are taken one at a time; the last philosopher takes them in the
 * other order, so nobody starves the table. Each fork is put down in a step of its own.
 *
 * -DN=8   philosophers
 */
#ifndef N
#define N 8
#endif

bool fork[N];

#define RIGHT ((_pid + 1) % N)

active [N] proctype phil()
{
	if
	:: _pid == N-1 -> goto left_handed
	:: else
	fi;
	do
	:: atomic { !fork[_pid] -> fork[_pid] = true }
		atomic { !fork[RIGHT] -> fork[RIGHT] = true }
		fork[RIGHT] = false;
		fork[_pid] = false
	od;
left_handed:
	do
	:: atomic { !fork[RIGHT] -> fork[RIGHT] = true }
		atomic { !fork[_pid] -> fork[_pid] = true }
		assert(fork[_pid] && fork[RIGHT]);
		fork[_pid] = false;
		fork[RIGHT] = false
	od
}
