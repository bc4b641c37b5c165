// what: an ltl formula without a name
// run: -a
bit b;
active proctype P() { do :: b = 1 - b od }
ltl { []<> (b == 1) }
