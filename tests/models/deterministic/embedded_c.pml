// what: two pieces of embedded C in a D_proctype
byte n; active D_proctype P() { if :: c_code { now.n = 1; } :: c_code { now.n = 2; } fi }
