// what: a provided clause over _pid: the processes take turns
byte turn, n;
active [3] proctype P() provided (turn == _pid) { n++; assert(n == _pid + 1); turn++ }
active proctype End() { turn == 3 -> turn = 2; turn = 1; turn = 0 }
