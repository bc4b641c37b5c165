/* Directory-based cache coherence (MSI). Caches ask the home node for a line; the home keeps
 * the set of sharers, sends invalidations one by one and waits for each acknowledgement before
 * it grants. Requests are queued, answers go to a channel per cache.
 *
 * -DN=3     caches
 */
#ifndef N
#define N 3
#endif

mtype = { read, write, grant, invalidate, done };

chan home = [N] of { mtype, byte };
chan answer = [N] of { byte };			/* acknowledgements */
chan to[N] = [1] of { mtype };
bool shared[N];					/* what the caches hold */
byte owner = N;

active [N] proctype cache()
{
	do
	:: !shared[_pid] && owner != _pid ->
		home!read, _pid;
		to[_pid]?grant;
		shared[_pid] = true;
		answer!_pid
	:: owner != _pid ->
		home!write, _pid;
		do
		:: to[_pid]?invalidate -> shared[_pid] = false; answer!_pid
		:: to[_pid]?grant -> break
		od;
		assert(owner == N);
		d_step { shared[_pid] = false; owner = _pid }
		answer!_pid
	:: to[_pid]?invalidate ->
		d_step {
			shared[_pid] = false;
			if
			:: owner == _pid -> owner = N
			:: else
			fi }
		answer!_pid
	od
}

active proctype directory()
{
	mtype what;
	byte who, i;
	bool sharer[N];
	byte own = N;

end:	do
	:: home?what, who ->
		if
		:: own != N -> to[own]!invalidate; answer?eval(own); own = N
		:: else
		fi;
		if
		:: what == read ->
			to[who]!grant;
			sharer[who] = true
		:: what == write ->
			i = 0;
			do
			:: i < N && sharer[i] && i != who -> to[i]!invalidate; answer?eval(i); sharer[i] = false; i++
			:: i < N && (!sharer[i] || i == who) -> i++
			:: i == N -> break
			od;
			i = 0;
			to[who]!grant;
			d_step { sharer[who] = false; own = who }
		fi;
		answer?eval(who)
	od
}
