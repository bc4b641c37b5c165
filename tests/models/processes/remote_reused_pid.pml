// what: a remote reference by pid reads whatever process of that type has the pid now
byte v;
proctype P(byte x) { l: x < 9 -> skip }
init { run P(5); _nr_pr == 1; run P(6); v = P[1]:x; assert(v == 6 || v == 0) }
