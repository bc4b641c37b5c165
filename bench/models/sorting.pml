/* Odd-even sorting by a line of processes: neighbours swap their values over rendezvous
 * channels, in rounds. The input is chosen freely out of V values.
 *
 * -DN=5   cells
 * -DV=3   values
 */
#ifndef N
#define N 5
#endif
#ifndef V
#define V 3
#endif

chan right[N] = [0] of { byte };	/* from cell i to cell i+1 */
chan left[N] = [0] of { byte };		/* from cell i+1 to cell i */
byte result[N];
byte finished;

active [N] proctype cell()
{
	byte mine, other, round;

	do
	:: mine < V - 1 -> mine++
	:: break
	od;
	do
	:: round < N ->
		if
		:: (_pid + round) % 2 == 0 && _pid < N-1 ->
			right[_pid]!mine; left[_pid]?other;
			if
			:: other < mine -> mine = other
			:: else
			fi
		:: (_pid + round) % 2 == 1 && _pid > 0 ->
			right[_pid-1]?other; left[_pid-1]!mine;
			if
			:: other > mine -> mine = other
			:: else
			fi
		:: else
		fi;
		other = 0;
		round++
	:: else -> break
	od;
	result[_pid] = mine;
	finished++;
	finished == N;
	assert(_pid == 0 || result[_pid-1] <= result[_pid])
}
