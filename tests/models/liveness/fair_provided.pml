// what: a process that provided holds back is not enabled, so fairness owes it nothing
// run: -a p
// run: -a -f p; expect: violated acceptance-cycle - -; Spin says holds, but in the cycle P is never enabled, so it is weakly fair
bit go, b;
byte n;
active proctype P() provided (go) { n = 1 }
active proctype Q() { do :: b = 1 - b od }
ltl p { <> (n == 1) }
