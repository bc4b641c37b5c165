// what: a remainder by zero
// expect: violated division-by-zero - - -; pan dies of SIGFPE
int n, r;
active proctype P() { r = 7 % n }
