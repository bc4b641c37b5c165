// what: a comment that is not closed
init { skip } /* and so on
