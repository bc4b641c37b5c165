// what: two moves of a trace match the same event
// expect: violated trace-nondeterminism - - -; Spin stops the whole search
chan q = [2] of { byte };
active proctype P() { q!1; q!2 }
trace { if :: q!1; q!2 :: q!_; q!3 fi }
