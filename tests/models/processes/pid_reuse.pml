// what: the pid of a process that is gone is used again
byte a, b;
proctype P() { assert(_pid == 1) }
init { a = run P(); _nr_pr == 1; b = run P(); assert(a == b && a == 1) }
