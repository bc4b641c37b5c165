// what: timeout of a process of high priority while one of low priority can run
byte n;
active proctype Low() priority 1 { n = 1; n = 2 }
active proctype High() priority 5 { timeout -> assert(n == 2) }
