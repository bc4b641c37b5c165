// what: a negation of empty, which Spin wants written nempty
chan q = [1] of { byte };
active proctype P() { if :: !empty(q) -> skip :: else fi }
