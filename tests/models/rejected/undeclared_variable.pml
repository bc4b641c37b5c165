// what: a variable that was never declared
active proctype P() { x = 1 }
