// what: a division by a variable that can be zero
// expect: violated division-by-zero - - -; pan dies of SIGFPE
byte n = 2, r;
active proctype P() { do :: n-- ; r = 6 / n od }
