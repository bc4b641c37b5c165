// what: the same name twice in an mtype list
mtype = { a, b, a };
init { skip }
