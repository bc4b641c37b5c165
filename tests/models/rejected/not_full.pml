// what: a negation of full, which Spin wants written nfull
chan q = [1] of { byte };
active proctype P() { !full(q) -> skip }
