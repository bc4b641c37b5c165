// what: a division by zero in a guard is an error as soon as the guard is looked at
// expect: violated division-by-zero - - -; pan dies of SIGFPE
int n = 1, r;
active proctype P() { if :: n == 0 && 3 / n == 1 -> r = 1 :: else -> n = 0 fi; if :: 3 / n == 1 -> r = 2 :: true fi }
