// what: two-phase commit: no participant commits while another one aborts
mtype = { vote, yes, no, commit, abort };
chan to[2] = [1] of { mtype };
chan from = [2] of { mtype };
mtype result[2];
active proctype Coordinator()
{
	byte i, good;
	mtype m;
	for (i : 0 .. 1) { to[i]!vote };
	for (i : 0 .. 1) { from?m; if :: m == yes -> good++ :: m == no fi };
	for (i : 0 .. 1) { if :: good == 2 -> to[i]!commit :: else -> to[i]!abort fi }
}
active [2] proctype Participant()
{
	byte me = _pid - 1;
	mtype m;
	to[me]?vote;
	if :: from!yes :: from!no fi;
	to[me]?m;
	result[me] = m;
	assert(!(result[0] == commit && result[1] == abort));
	assert(!(result[0] == abort && result[1] == commit))
}
