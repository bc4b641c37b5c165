// what: as fair_between_rendezvous.pml, with an accept label in place of a formula
// run: -a -f
chan c = [0] of { byte };
bit d;
active proctype A() { do :: c!1 od }
active proctype B() { c!2; d = 1 }
active proctype Q() { byte v, l; do :: c?v; l = 1 - l od }
active proctype W() {
accept:
	do
	:: d == 0
	:: d == 1 -> break
	od
}
