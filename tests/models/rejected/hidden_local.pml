// what: a hidden local
active proctype P() { hidden byte b; b = 1 }
