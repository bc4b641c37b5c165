// what: a process that waits for what will never happen
byte n;
active proctype P() { n = 1; n == 2; n = 3 }
