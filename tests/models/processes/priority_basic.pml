// what: only processes of the highest priority run
byte n;
active proctype Low() priority 1 { assert(n == 2) }
active proctype High() priority 5 { n = 1; n = 2 }
