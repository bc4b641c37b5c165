/* Leader election in a unidirectional ring (Dolev, Klawe and Rodeh). In each phase an active
 * node sends its number, then that of its left neighbour, and stays active only if that
 * neighbour holds a local maximum. Two nodes must never both win, and the largest number wins.
 *
 * -DN=5       nodes
 * -DSTEP=2    numbers are handed out around the ring in steps of STEP (prime to N)
 */
#ifndef N
#define N 5
#endif
#ifndef STEP
#define STEP 2
#endif
#define CAP 2*N

mtype = { one, two, winner };

chan q[N] = [CAP] of { mtype, byte };
byte leaders;

proctype node(byte me; byte number)
{
	bool active_node = true, know;
	byte nr, most = number, left;

	q[(me+1) % N]!one(number);
end:	do
	:: q[me]?one(nr) ->
		if
		:: active_node ->
			if
			:: nr != most -> q[(me+1) % N]!two(nr); left = nr
			:: else -> assert(nr == N); know = true; q[(me+1) % N]!winner(nr)
			fi
		:: else -> q[(me+1) % N]!one(nr)
		fi
	:: q[me]?two(nr) ->
		if
		:: active_node ->
			if
			:: left > nr && left > most -> most = left; q[(me+1) % N]!one(left)
			:: else -> active_node = false
			fi
		:: else -> q[(me+1) % N]!two(nr)
		fi
	:: q[me]?winner(nr) ->
		if
		:: nr != number -> know = true
		:: else -> leaders++; assert(leaders == 1)
		fi;
		if
		:: know && nr == number -> break
		:: else -> q[(me+1) % N]!winner(nr); break
		fi
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run node(i, 1 + (i * STEP) % N); i++
		:: else -> break
		od
	}
}
