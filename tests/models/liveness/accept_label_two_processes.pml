// what: one process stays at an accept label while another one runs for ever
// run: -a
byte n;
active proctype A() { accept: n == 9 }
active proctype B() { do :: n = 1 - n od }
