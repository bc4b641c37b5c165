// what: two independent loops: each moves infinitely often only with weak fairness
// run: -a p
// run: -a -f p
bit a, b;
active proctype P() { do :: a = 1 - a od }
active proctype Q() { do :: b = 1 - b od }
ltl p { []<> (a == 1) && []<> (b == 1) }
