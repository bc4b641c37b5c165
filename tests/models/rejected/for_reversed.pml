// what: a for whose constant lower bound is above the upper one
byte i;
init { for (i : 5 .. 2) { skip } }
