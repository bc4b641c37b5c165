// what: the sleeping barber with two chairs and three customers
#define CHAIRS 2
chan chairs = [CHAIRS] of { pid };
chan done[4] = [0] of { bit };
byte served, left;
active proctype Barber()
{
	pid c;
	end: do
	:: chairs?c -> served++; done[c]!1
	od
}
active [3] proctype Customer()
{
	if
	:: nfull(chairs) -> chairs!_pid; done[_pid]?1
	:: full(chairs) -> left++
	fi;
	assert(served + left <= 3)
}
