// what: an atomic sequence whose first statement blocks has not started
byte a, b;
active proctype P() { atomic { b == 2 -> a = 1; a = 2 } }
active proctype Q() { b = 1; assert(a == 0); b = 2; assert(a != 1) }
