// what: a process that has ended but has not gone can still be read
active proctype P() { byte x = 5; l: skip }
active proctype Q() { _nr_pr == 2; assert(P:x == 5) }
