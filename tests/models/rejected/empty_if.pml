// what: an if without options
active proctype P() { if fi }
