// what: a division by zero that && keeps from being computed is no error
int n, r;
active proctype P() { if :: n != 0 && 3 / n == 1 -> r = 1 :: else -> r = 2 fi; assert(r == 2) }
