// what: _nr_pr in a claim counts processes, not the claim
// run: -a; expect: violated claim-end - -; Spin says holds: its claim is a process, too
byte x;
active proctype P() { do :: x = 1 - x od }
never { do :: _nr_pr == 1 -> break :: else od }
