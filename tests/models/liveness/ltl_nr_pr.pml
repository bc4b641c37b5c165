// what: _nr_pr in a formula counts processes, not the claim
// run: -a p; expect: holds - - -; Spin says violated: its claim is a process, too
// run: -a q; expect: violated - - -; Spin says holds, for the same reason
byte x;
active proctype P() { do :: x = 1 - x od }
ltl p { [](_nr_pr == 1) }
ltl q { [](_nr_pr == 2) }
