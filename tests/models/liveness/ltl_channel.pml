// what: channel expressions in a formula
// run: -a p
// run: -a q
// run: -a r
chan c = [2] of { byte };
active proctype S() { byte i; do :: c!i; i = 1 - i od }
active proctype R() { byte i; do :: c?i od }
ltl p { [] (len(c) <= 2) }
ltl q { []<> (len(c) == 2) }
ltl r { []<> (c?[1]) }
