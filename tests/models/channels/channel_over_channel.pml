// what: channels are sent over channels, a server answers where it is told
chan server = [1] of { chan, byte };
active [2] proctype Client()
{
	chan me = [1] of { byte };
	byte n;
	server!me, _pid + 1;
	me?n;
	assert(n == (_pid + 1) * 2)
}
active proctype Server()
{
	chan reply; byte n;
	end: do :: server?reply, n -> reply!n * 2 od
}
