// what: timeout in a claim is taken seriously if a formula mentions it
// run: -a n
byte x;
active proctype P() { x = 1; x == 0 }
ltl p { []!timeout }
never n { do :: timeout -> break :: else od }
