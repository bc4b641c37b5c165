// what: without a claim: a fair cycle through an accept label
// run: -a -f; expect: violated acceptance-cycle - -; both loops move in the cycle, so it is fair; Spin stores states up to its depth limit
bit b, x;
active proctype P() { do :: b = 1 - b; accept: skip od }
active proctype R() { do :: x = 1 - x od }
