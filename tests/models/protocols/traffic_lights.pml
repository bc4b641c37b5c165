// what: two traffic lights over a rendezvous controller are never green together
mtype = { red, green };
mtype light[2] = red;
chan go = [0] of { byte };
chan stop = [0] of { byte };
active proctype Control()
{
	byte k;
	do :: go!k; stop?eval(k); k = 1 - k od
}
active [2] proctype Light()
{
	byte me = _pid - 1;
	do
	:: go?eval(me) -> light[me] = green; assert(light[1 - me] == red); light[me] = red; stop!me
	od
}
