// what: run is a second statement of a D_proctype
byte n; proctype Q() { n = 2 } active D_proctype P() { if :: n = 1 :: run Q() fi }
