// what: three processes pass a token over rendezvous in a ring
chan c[3] = [0] of { byte };
byte rounds;
active [3] proctype P()
{
	byte n;
	if :: _pid == 0 -> c[1]!1 :: else fi;
	end: do
	:: c[_pid]?n ->
		if
		:: n < 7 -> c[(_pid + 1) % 3]!n + 1
		:: else -> rounds = n; assert(_pid == 1)
		fi
	od
}
