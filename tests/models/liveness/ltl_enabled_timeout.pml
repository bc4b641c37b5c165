// what: enabled(pid) in formulas, of a process that waits for timeout
// run: -a p
// run: -a q
byte x;
active proctype A() { timeout; x = 1; x == 5 }
active proctype B() { x == 1; do :: x = 3 - x od }
ltl p { [] !enabled(0) }
ltl q { [] (x == 2 -> !enabled(0)) }
