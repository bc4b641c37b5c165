// what: infinitely often, and in the end always
// run: -a inf
// run: -a stays
bit b;
active proctype P() { do :: b = 1 - b od }
ltl inf { []<> b }
ltl stays { <>[] b }
