/* A leader that has ENTRIES entries of its log stored by a majority of N followers, over channels that
 * lose messages; a message is sent again until it is acknowledged by enough of them. Followers may be
 * down for a while.
 *
 * -DN=4  -DENTRIES=30
 */
#ifndef N
#define N 4
#endif
#ifndef ENTRIES
#define ENTRIES 30
#endif
#define ENOUGH (N / 2 + 1)

chan to[N] = [1] of { bit };
chan from[N] = [1] of { bit };
byte stored[N];

active proctype leader()
{
	byte entry, i, count;
	bit tag;
	bool has[N];
	do
	:: entry < ENTRIES ->
		count = 0;
		i = 0;
		do
		:: i < N -> has[i] = false; i++
		:: else -> break
		od;
		i = 0;
		do
		:: count < ENOUGH ->
			if
			:: nfull(to[i]) && !has[i] -> to[i]!tag
			:: from[i]?eval(tag) -> if :: !has[i] -> has[i] = true; count++ :: else fi
			:: from[i]?eval(1 - tag)
			:: true
			fi;
			i = (i + 1) % N
		:: else -> break
		od;
		tag = 1 - tag;
		entry++
	:: else -> break
	od
}

active [N] proctype follower()
{
	byte me = _pid - 1;
	bit b, last = 1;
end:	do
	:: to[me]?b -> if :: b != last -> last = b; stored[me] = (stored[me] + 1) % 4 :: else fi;
end_reply:	from[me]!b
	:: to[me]?b			/* lost, or it is down */
	od
}
