/* Dolev, Klawe and Rodeh: election of a leader on a ring of N processes whose messages go one way. The
 * identities are any permutation: each process is handed one that was not given away before.
 * With ERROR, an active process compares with itself, not with the one before it.
 *     gyre bench/cover/election.pml --cover --ef-sum 'node leads > 1'                                  */
#ifndef N
#define N 6
#endif
#define ONE 0 /* kinds of messages */
#define TWO 1

chan link[N] = [1] of { bit, byte };
chan given[N] = [1] of { byte };
#ifdef MONITOR
bool leader[N];
#define LEADS leader[_pid - 1]
active proctype monitor()
{
	byte i, leaders;
	d_step {
		do
		:: i < N -> leaders = leaders + leader[i]; i++
		:: else -> break
		od;
		assert(leaders <= 1)
	}
}
#else
#define LEADS leads
active proctype nobody() { skip } /* so that the nodes have the same numbers */
#endif

active [N] proctype node()
{
	byte most, before, id;
	bool active_one = true, leads;
	given[_pid - 1]?id;
	most = id;
	link[_pid % N]!ONE, most;
end:
	do
	:: link[_pid - 1]?ONE, id ->
		if
		:: active_one && id == most -> LEADS = true; break
		:: active_one && id != most -> before = id; link[_pid % N]!TWO, id
		:: !active_one -> link[_pid % N]!ONE, id
		fi
	:: link[_pid - 1]?TWO, id ->
		if
#ifdef ERROR
		:: active_one && before >= most -> most = before; link[_pid % N]!ONE, most
		:: active_one && before < most && before >= id -> active_one = false
		:: active_one && before < most && before < id -> LEADS = true; break
#else
		:: active_one && before > id && before > most -> most = before; link[_pid % N]!ONE, most
		:: active_one && !(before > id && before > most) -> active_one = false
#endif
		:: !active_one -> link[_pid % N]!TWO, id
		fi
	od
}

/* Where the ring begins does not matter: the first process gets the highest identity. */
active proctype names()
{
	byte i = 1, k;
	bool taken[8];
	given[0]!N;
	do
	:: i < N ->
		if
		:: !taken[1] -> k = 1
		:: N > 2 && !taken[2] -> k = 2
		:: N > 3 && !taken[3] -> k = 3
		:: N > 4 && !taken[4] -> k = 4
		:: N > 5 && !taken[5] -> k = 5
		:: N > 6 && !taken[6] -> k = 6
		fi;
		taken[k] = true;
		given[i]!k;
		i++
	:: else -> break
	od
}
