// what: a test-and-set lock: weak fairness does not keep one process from starving
// run: -a -f p
bit lock;
active [2] proctype P() { do :: atomic { !lock -> lock = 1 }; cs: skip; lock = 0 od }
ltl p { []<> P[0]@cs }
