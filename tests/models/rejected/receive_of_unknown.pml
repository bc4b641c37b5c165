// what: a receive from a name that is not known, in an expression
chan q = [1] of { byte };
active proctype P() { byte x; q!!nothing?x }
