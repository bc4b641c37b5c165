// what: a string that is not closed
init { printf("hello) }
