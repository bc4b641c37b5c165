// what: a lift that takes requests from a channel, over rendezvous with its doors
mtype = { open, close };
chan req = [2] of { byte };
chan door = [0] of { mtype };
byte floor, target;
bit isopen;
active proctype Lift()
{
	byte t;
	end: do
	:: req?t ->
		do
		:: floor < t -> assert(!isopen); floor++
		:: floor > t -> assert(!isopen); floor--
		:: floor == t -> break
		od;
		door!open;
		door!close
	od
}
active proctype Door()
{
	end: do
	:: atomic { door?open -> isopen = 1 };
		atomic { door?close -> isopen = 0 }
	od
}
active proctype Users()
{
	byte n, f;
	for (n : 1 .. 4) { select(f : 0 .. 3); req!f }
}
