// what: an atomic sequence is a second statement of a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: atomic { n = 2; n = 3 } fi }
