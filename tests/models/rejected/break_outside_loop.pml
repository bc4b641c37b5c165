// what: a break that is in no loop
byte n;
active proctype P() { n = 1; break; n = 2 }
