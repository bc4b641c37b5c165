// what: an assignment to _nr_pr
init { _nr_pr = 3 }
