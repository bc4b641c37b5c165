/* Dining philosophers who take both forks at once and each eat MEALS times (0: for ever). With
 * both forks taken in one step there is no deadlock.
 *
 * -DN=10      philosophers
 * -DMEALS=0   meals each
 */
#ifndef N
#define N 10
#endif
#ifndef MEALS
#define MEALS 0
#endif

bool fork[N];

#define RIGHT ((_pid + 1) % N)

active [N] proctype phil()
{
#if MEALS
	byte eaten;
#endif
	do
	:: atomic { !fork[_pid] && !fork[RIGHT] -> fork[_pid] = true; fork[RIGHT] = true }
		atomic { fork[_pid] = false; fork[RIGHT] = false }
#if MEALS
		eaten++;
		if
		:: eaten == MEALS -> break
		:: else
		fi
#else
		skip		/* think */
#endif
	od
}
