// what: processes started one after the other get pid 1 or 2, depending on who has gone
byte a, b;
proctype P() { skip }
init { a = run P(); b = run P(); assert(a == 1 && (b == 1 || b == 2)); _nr_pr == 1; assert(run P()) }
