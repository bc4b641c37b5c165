// what: an accept label on the last statement of an atomic sequence
// run: -a
byte x;
active proctype P() { do :: atomic { x = 1; accept: x = 0 } od }
