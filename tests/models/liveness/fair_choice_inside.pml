// what: fairness is between processes, not between the options of one process
// run: -a -f p
byte n;
bit x;
active proctype P() { do :: n = 1 :: n = 2 od }
active proctype Q() { do :: x = 1 - x od }
ltl p { []<> (n == 2) }
