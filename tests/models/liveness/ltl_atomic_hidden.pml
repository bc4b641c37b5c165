// what: a value that exists only inside an atomic sequence is not seen
// run: -a p
byte n;
active proctype P() { do :: atomic { n = 7; n = 1 } :: n = 0 od }
ltl p { [] (n != 7) }
