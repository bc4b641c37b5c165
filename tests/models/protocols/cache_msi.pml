// what: a cache coherence protocol (MSI) for three caches on an atomic bus
#define N 3
mtype = { I, S, M };
mtype st[N] = I;
bit bus;
active [N] proctype Cache()
{
	byte k;
	do
	:: st[_pid] == I ->
		atomic {
			!bus -> bus = 1;
			for (k : 0 .. N - 1) { if :: st[k] == M -> st[k] = S :: else fi };
			st[_pid] = S; k = 0
		};
		bus = 0
	:: st[_pid] != M ->
		atomic {
			!bus -> bus = 1;
			for (k : 0 .. N - 1) { st[k] = I };
			st[_pid] = M; k = 0
		};
		bus = 0
	:: atomic { st[_pid] != I && !bus -> st[_pid] = I }
	:: assert(!(st[0] == M && st[1] != I) && !(st[1] == M && st[2] != I) && !(st[2] == M && st[0] != I))
	od
}
