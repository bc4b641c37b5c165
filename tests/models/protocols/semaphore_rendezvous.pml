// what: Dijkstra's semaphore as a process, over rendezvous
mtype = { p, v };
chan sema = [0] of { mtype };
byte in;
active proctype Semaphore()
{
	byte count = 1;
	end: do
	:: count == 1 -> sema!p; count = 0
	:: count == 0 -> sema?v; count = 1
	od
}
active [3] proctype User()
{
	end: do
	:: sema?p; in++; assert(in == 1); in--; sema!v
	od
}
