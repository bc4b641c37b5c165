// what: the end of each process is a step of its own, in stack order
active [2] proctype P() { skip }
active proctype Q() { skip; skip }
