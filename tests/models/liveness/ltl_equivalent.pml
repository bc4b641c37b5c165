// what: <-> and nested implications
// run: -a p
// run: -a q
byte n;
bit odd;
active proctype P() { do :: atomic { n = (n + 1) % 4; odd = n % 2 } od }
ltl p { [] (odd <-> (n == 1 || n == 3)) }
ltl q { [] (odd -> ((n == 1) <-> <> (n == 2))) }
