// what: printf is a second statement of a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: printf("x") fi }
