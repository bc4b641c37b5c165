/* A token protocol with reserved bandwidth, after Rether: the token walks around the nodes; a
 * node may ask for a real-time slot while fewer than SLOTS are given, and then uses it in every
 * round; what is left of the round goes to the other nodes in turn.
 *
 * -DN=4       nodes
 * -DSLOTS=2   real-time slots
 * -DROUND=4   slots in a round
 */
#ifndef N
#define N 4
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef ROUND
#define ROUND 4
#endif

mtype = { rt, nrt, back };

chan token[N] = [0] of { mtype };
chan returned = [0] of { mtype, byte };
bool reserved[N];
byte given, used;		/* slots reserved; slots used in this round */

active [N] proctype node()
{
	bool wants;

	do
	:: token[_pid]?rt ->
		assert(reserved[_pid]);
		used++;
		if
		:: d_step { reserved[_pid] = false; given-- }
		:: skip
		fi;
		returned!back, _pid
	:: token[_pid]?nrt ->
		used++;
		if
		:: d_step { wants && !reserved[_pid] && given < SLOTS; reserved[_pid] = true; given++ };
			wants = false
		:: !wants
		:: wants && (reserved[_pid] || given == SLOTS)
		fi;
		returned!back, _pid
	:: !wants -> wants = true
	od
}

active proctype scheduler()
{
	byte i, next, turn;
	bool pending[N];

	do
	:: used = 0;
		i = 0;
		do				/* plan the round */
		:: i < N -> pending[i] = reserved[i]; i++
		:: else -> break
		od;
		i = 0;
		do				/* reserved slots first */
		:: i < N && pending[i] ->
			token[i]!rt; returned?back, eval(i); pending[i] = false; i++
		:: i < N && !pending[i] -> i++
		:: i == N -> break
		od;
		assert(used <= SLOTS);
		do				/* then the rest */
		:: used < ROUND ->
			token[next]!nrt; returned?back, turn; assert(turn == next);
			next = (next + 1) % N
		:: else -> break
		od;
		assert(given <= SLOTS && used <= ROUND)
	od
}
