// what: two processes wait for a timeout; either may take it
byte n;
active [2] proctype P() { timeout -> n++; assert(n == 1 || n == 2) }
