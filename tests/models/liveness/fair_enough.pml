// what: a process that stays enabled runs in the end
// run: -a p
// run: -a -f p
bit a, b;
active proctype P() { do :: a = 1 - a od }
active proctype Q() { b = 1 }
ltl p { <> b }
