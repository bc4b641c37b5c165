/* Chandy and Misra: N philosophers on a ring, each shares a fork with either neighbour. A fork that was used
 * is dirty, and is cleaned when it is given away. At the start all are hungry, and all forks are dirty and
 * lie with the philosopher of the lower number; who lacks a fork asks for it. Who is asked for a dirty fork
 * gives it away and, if still hungry, asks for it back; a clean one it keeps until it has eaten. Only
 * philosopher 0 has both forks from the start, and may eat at once. Each eats once.
 * With ERROR, philosopher 1 gives its right fork away and eats as if it still had it.
 *     gyre bench/cover/philosophers.pml --cover --ef 'phil[0]:eats && phil[1]:eats' --ef ...             */
#ifndef N
#define N 6
#endif
#ifdef MONITOR
bool eating[N];
#define EATS eating[ME]
#define ME (_pid - 1)
active proctype monitor()
{
	byte i, together;
	d_step {
		do
		:: i < N -> together = together + (eating[i] && eating[(i + 1) % N]); i++
		:: else -> break
		od;
		assert(together == 0)
	}
}
#else
#define EATS eats
#define ME _pid
#endif

/* Fork k lies between philosophers k and k + 1: it, and requests for it, go up to k + 1 or down to k. */
chan fork_up[N] = [1] of { bit };
chan fork_down[N] = [1] of { bit };
chan ask_up[N] = [1] of { bit };
chan ask_down[N] = [1] of { bit };
#define R ME
#define L ((ME + N - 1) % N)

active [N] proctype phil()
{
	bool fed, eats;
	if
	:: ME > 0 -> ask_down[L]!1
	:: ME == 0
	fi;
	if
	:: ME == N - 1 -> ask_up[R]!1
	:: ME < N - 1
	fi;
	if
	:: ME == 0 -> EATS = true; EATS = false; fed = true
	:: skip
	fi;
	if /* dirty forks are given away */
	:: ME < N - 1 ->
		ask_down[R]?_;
		fork_up[R]!1;
		if
#ifdef ERROR
		:: ME == 1
		:: ME != 1 && !fed -> ask_up[R]!1
#else
		:: !fed -> ask_up[R]!1
#endif
		:: fed
		fi
	:: ME == N - 1
	fi;
	if
	:: ME == 0 ->
		ask_up[L]?_;
		fork_down[L]!1;
		if
		:: !fed -> ask_down[L]!1
		:: fed
		fi
	:: ME > 0
	fi;
	if /* and waited for */
	:: !fed -> fork_up[L]?_
	:: fed
	fi;
	if
#ifdef ERROR
	:: ME == 1
	:: ME != 1 && !fed -> fork_down[R]?_
#else
	:: !fed -> fork_down[R]?_
#endif
	:: fed
	fi;
	if
	:: !fed -> EATS = true; EATS = false; fed = true
	:: fed
	fi;
	if /* those that were clean are dirty now: the neighbours get them back */
	:: ME > 0 ->
end_left:	ask_up[L]?_;
		fork_down[L]!1
	:: ME == 0
	fi;
	if
	:: ME == N - 1 ->
end_right:	ask_down[R]?_;
		fork_up[R]!1
	:: ME < N - 1
	fi
}
