// what: a timeout makes sure that something happens
// run: -a p
byte n;
active proctype P() { do :: n < 2 -> n++ :: timeout -> n = 0 od }
ltl p { []<> (n == 0) }
