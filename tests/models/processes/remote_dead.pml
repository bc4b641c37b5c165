// what: a remote reference to a process that has gone: the variable reads 0, the label is false
byte v = 9;
proctype P() { byte x = 5; l: skip }
init { run P(); v = P[1]:x; assert(v == 0 || v == 5); _nr_pr == 1; v = P[1]:x; assert(v == 0 && !P[1]@l) }
