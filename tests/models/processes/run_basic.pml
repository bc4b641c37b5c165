// what: run starts a process, and returns its pid
byte n, p;
proctype P(byte k) { n = n + k }
init { p = run P(3); assert(p == 1); n == 3; _nr_pr == 1; p = run P(4); assert(p == 1); n == 7 }
