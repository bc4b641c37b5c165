// what: behind the rendezvous nobody receives until R has come back, so that S may go on with else
// between the two
chan c = [0] of { bit };
active proctype R() {
	bit v, l;
	do
	:: c?v; l = 1 - l
	od
}
active proctype S() {
	do
	:: c!1
	:: else -> assert(false)
	od
}
