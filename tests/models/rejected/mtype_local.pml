// what: an mtype list inside a proctype
active proctype P() { mtype = { a, b }; skip }
