// what: run inside a larger expression is accepted, with its pid as the value
byte n, m;
proctype Q() { m = 1 }
init { n = run Q() + 10; assert(n == 11); m == 1 }
