// what: run as the argument of a send
chan q = [1] of { byte };
proctype Q() { skip }
init { q!run Q() }
