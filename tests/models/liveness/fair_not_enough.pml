// what: a process that is enabled again and again but not all the time may starve under weak fairness
// run: -a -f p
bit a, b;
active proctype P() { do :: a = 1 - a od }
active proctype Q() { do :: a == 1 -> b = 1 od }
ltl p { <> b }
