// what: run of a proctype that does not exist
init { run Nobody() }
