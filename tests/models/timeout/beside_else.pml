// what: timeout and else in the same selection: else is there whenever no guard is true, so timeout is not taken
byte n, r;
active proctype P() { if :: n == 1 -> r = 1 :: timeout -> r = 2 :: else -> r = 3 fi; assert(r != 2) }
active proctype Q() { n = 1 }
