/* A coordinator that has ROUNDS transactions committed by N participants, one after the other, each by
 * two phases; participants work on something of their own between messages.
 *
 * -DN=5  -DROUNDS=30  -DWORK=3
 */
#ifndef N
#define N 5
#endif
#ifndef ROUNDS
#define ROUNDS 30
#endif
#ifndef WORK
#define WORK 3
#endif

mtype = { prepare, yes, no, commit, abort, done };
chan ask[N] = [1] of { mtype };
chan reply = [N] of { mtype };
byte committed, working;

active proctype coordinator()
{
	byte round, i;
	bool good;
	do
	:: round < ROUNDS ->
		good = true;
		i = 0;
		do
		:: i < N -> ask[i]!prepare; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> if :: reply?yes :: reply?no -> good = false fi; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> if :: good -> ask[i]!commit :: else -> ask[i]!abort fi; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> reply?done; i++
		:: else -> break
		od;
		assert(committed == (good -> N : 0));
		committed = 0;
		round++
	:: else -> break
	od
}

active [N] proctype participant()
{
	byte me = _pid - 1, w;
	bool ready;
end:	do
	:: ask[me]?prepare ->
		if :: ready = true :: ready = false fi;
		w = 0;
		do :: w < WORK -> w++ :: break od;
		if :: ready -> reply!yes :: else -> reply!no fi
	:: ask[me]?commit -> assert(ready); committed++; reply!done
	:: ask[me]?abort -> reply!done
	od
}
