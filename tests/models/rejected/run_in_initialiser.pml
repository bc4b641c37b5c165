// what: run in the initialiser of a variable
proctype Q() { skip }
init { byte p = run Q(); skip }
