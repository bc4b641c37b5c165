// what: an assignment to a name of an mtype list
mtype = { a, b };
init { a = b }
