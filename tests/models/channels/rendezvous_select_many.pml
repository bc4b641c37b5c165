// what: a receiver chooses among senders on several rendezvous channels
chan c[3] = [0] of { byte };
byte seen;
active [3] proctype S() { c[_pid]!_pid }
active proctype R()
{
	byte n, k;
	do
	:: k == 3 -> break
	:: c[0]?n -> assert(n == 0); k++
	:: c[1]?n -> assert(n == 1); k++
	:: c[2]?n -> assert(n == 2); k++
	od
}
