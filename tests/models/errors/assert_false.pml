// what: a failing assertion, three steps deep, on one path of two
byte n;
active proctype P() { n = 1; if :: n = 2 :: n = 3 fi; assert(n == 2) }
