// what: without a progress label each cycle is a non-progress cycle
// run: -l
bit b;
active proctype P() { do :: b = 1 - b od }
