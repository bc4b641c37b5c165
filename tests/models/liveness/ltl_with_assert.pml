// what: a model whose own assertion holds beside a formula that does not
// run: -a p
byte n;
active proctype P() { do :: n < 3 -> n++; assert(n <= 3) :: n == 3 -> n = 1 od }
ltl p { []<> (n == 0) }
