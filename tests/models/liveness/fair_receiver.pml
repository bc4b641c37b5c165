// what: a process that waits at a rendezvous receive, and whose partner could send all the time, is able to move
// run: -a p
// run: -a -f p; expect: holds - - -; Spin says violated: to it only the sender of a rendezvous can move
chan r = [0] of { bit };
byte x, y;
active proctype S() { do :: r!1 :: x = 1 - x od }
active proctype R() { r?_; y = 1 }
ltl p { <>(y == 1) }
