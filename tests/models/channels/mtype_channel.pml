// what: names of an mtype list are matched as constants in selections
mtype = { req, grant, release };
chan c = [1] of { mtype, byte };
byte held;
active proctype Server()
{
	byte who;
	end: do
	:: c?req, who -> assert(!held); held = 1
	:: c?release, who -> assert(held); held = 0
	od
}
active proctype Client() { c!req, 1; c!release, 1; c!req, 1; c!release, 1 }
