// what: a process of lower priority runs while those of higher priority are blocked
byte n;
active proctype Low() priority 1 { n = 1; assert(n == 9) }
active proctype High() priority 5 { n == 1; n = 9 }
