// what: the high process waits for a lock that the low one holds, and the middle one keeps the low one from running
mtype = { free, busy };
mtype lock = free;
bit high_done, mid;
active proctype Low() priority 1 { atomic { lock == free -> lock = busy }; skip; lock = free }
active proctype Mid() priority 5 { lock == busy; mid = 1; do :: mid = 1 - mid od }
active proctype High() priority 9 { lock == busy; lock == free; high_done = 1; assert(false) }
