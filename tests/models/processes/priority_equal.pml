// what: processes of equal priority interleave
byte n;
active [2] proctype P() priority 3 { n++; n++ }
active proctype Low() priority 1 { assert(n == 4) }
