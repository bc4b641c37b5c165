// what: select over a range with negative numbers: a loop, because -1 is no constant to Spin
short n;
active proctype P() { select(n : -1 .. 1); assert(n >= -1 && n <= 1) }
