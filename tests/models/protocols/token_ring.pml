// what: a token ring of four stations: only the holder sends
#define N 4
chan ring[N] = [1] of { bit };
byte sending;
active [N] proctype Station()
{
	if :: _pid == 0 -> ring[0]!1 :: else fi;
	end: do
	:: ring[_pid]?1 ->
		if
		:: sending++; assert(sending == 1); sending--
		:: skip
		fi;
		ring[(_pid + 1) % N]!1
	od
}
