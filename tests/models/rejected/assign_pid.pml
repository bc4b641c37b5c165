// what: an assignment to _pid
init { _pid = 3 }
