// what: an endless loop inside an atomic sequence ends the search with a finite number of states
// expect: holds - - - 0; no state inside an atomic sequence is stored, so Spin runs to its depth limit
byte n;
active proctype P() { atomic { do :: n = 1 - n od } }
