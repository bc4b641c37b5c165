// what: a select whose constant lower bound is above the upper one
byte i;
init { select(i : 5 .. 2) }
