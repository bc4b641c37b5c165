// what: enabled(pid) of another process, outside a claim
byte n;
active proctype P() { n == 2; n = 3 }
active proctype Q() { n = 1; assert(!enabled(0)); atomic { n = 2; assert(enabled(0)) } }
