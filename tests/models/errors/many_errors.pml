// what: the same assertion fails in many states
byte n;
active [3] proctype P() { n++; n++; assert(n != 4) }
