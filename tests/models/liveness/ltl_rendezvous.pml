// what: a formula over a system with rendezvous: the half step is not seen
// run: -a p
// run: -a q
chan c = [0] of { byte };
byte a, b;
active proctype S() { do :: c!1 -> a = 1 - a od }
active proctype R() { byte n; do :: c?n -> b = 1 - b od }
ltl p { []<> (a == 1) }
ltl q { [] ((a == b) -> <> (a == b)) }
