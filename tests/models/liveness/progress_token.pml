// what: a token goes round for ever, with progress at one station
// run: -l
chan c[2] = [1] of { bit };
active [2] proctype P()
{
	if :: _pid == 0 -> c[0]!1 :: else fi;
	do
	:: c[_pid]?1 -> if :: _pid == 0 -> progress: skip :: else fi; c[1 - _pid]!1
	od
}
