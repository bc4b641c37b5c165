// what: an init that is declared before the active proctypes is process 0
init { assert(_pid == 0 && _nr_pr >= 1) }
active proctype A() { assert(_pid == 1) }
