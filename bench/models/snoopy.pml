/* A snooping cache protocol (MESI) on a bus that is granted to one cache at a time. Every other
 * cache answers by changing its own state, one after the other; a modified line is written
 * back on the way. A reader must see the value written last.
 *
 * -DN=3       caches
 * -DLINES=1   lines of memory
 * -DV=2       values, counted modulo V
 */
#ifndef N
#define N 3
#endif
#ifndef LINES
#define LINES 1
#endif
#ifndef V
#define V 2
#endif

mtype = { I, S, E, M };

mtype line[N*LINES] = I;
byte value[N*LINES];
byte memory[LINES], latest[LINES];
bool bus;

#define AT(c, a) ((c)*LINES + (a))

active [N] proctype cache()
{
	byte a, other;
	bool shared;

	do
	:: a = (a + 1) % LINES			/* turn to another line */
	:: line[AT(_pid, a)] != I ->		/* read hit */
		assert(value[AT(_pid, a)] == latest[a] || line[AT(_pid, a)] == I)
	:: atomic { line[AT(_pid, a)] == I && !bus -> bus = true }	/* read miss */
		other = 0; shared = false;
		do
		:: other < N ->
			if
			:: other != _pid && line[AT(other, a)] == M ->
				memory[a] = value[AT(other, a)];
				line[AT(other, a)] = S; shared = true
			:: other != _pid && line[AT(other, a)] == E -> line[AT(other, a)] = S; shared = true
			:: other != _pid && line[AT(other, a)] == S -> shared = true
			:: else
			fi;
			other++
		:: else -> break
		od;
		value[AT(_pid, a)] = memory[a];
		line[AT(_pid, a)] = (shared -> S : E);
		bus = false
	:: d_step { (line[AT(_pid, a)] == E || line[AT(_pid, a)] == M) && !bus;	/* write hit */
		line[AT(_pid, a)] = M;
		latest[a] = (latest[a] + 1) % V; value[AT(_pid, a)] = latest[a] }
	:: atomic { (line[AT(_pid, a)] == S || line[AT(_pid, a)] == I) && !bus -> bus = true }	/* write miss */
		other = 0;
		do
		:: other < N ->
			if
			:: other != _pid && line[AT(other, a)] == M ->
				memory[a] = value[AT(other, a)];
				line[AT(other, a)] = I; value[AT(other, a)] = 0
			:: other != _pid && line[AT(other, a)] != M -> line[AT(other, a)] = I; value[AT(other, a)] = 0
			:: else
			fi;
			other++
		:: else -> break
		od;
		line[AT(_pid, a)] = M;
		latest[a] = (latest[a] + 1) % V;
		value[AT(_pid, a)] = latest[a];
		bus = false
	:: atomic { line[AT(_pid, a)] != I && !bus -> bus = true }	/* evict */
		if
		:: line[AT(_pid, a)] == M -> memory[a] = value[AT(_pid, a)]
		:: else
		fi;
		line[AT(_pid, a)] = I; value[AT(_pid, a)] = 0;
		bus = false
	od
}
