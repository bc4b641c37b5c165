// what: run with more arguments than parameters
proctype Q(byte a) { skip }
init { run Q(1, 2) }
