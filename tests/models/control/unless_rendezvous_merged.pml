// what: the escape is a rendezvous that is not possible while R is on its way back, and only then x becomes 1
chan c = [0] of { bit };
byte x;
active proctype R() {
	bit v, l;
	do
	:: c?v; l = 1 - l
	od
}
active proctype S() {
	do
	:: { x = 1; x = 0 } unless { c!1 }
	od
}
active proctype T() {
	x == 1;
	assert(false)
}
