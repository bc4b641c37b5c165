// what: a model with a proctype that nobody starts
proctype P() { skip }
