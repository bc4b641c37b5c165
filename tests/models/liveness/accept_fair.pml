// what: without a claim: a process waits at an accept label only as long as another one is starved
// run: -a
// run: -a -f
bit b, x;
active proctype P() { accept: b -> skip }
active proctype Q() { b = 1 }
active proctype R() { do :: x = 1 - x od }
