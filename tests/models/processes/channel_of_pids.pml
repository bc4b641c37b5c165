// what: pids are sent as messages and answered with eval
chan q = [2] of { pid };
byte served[3];
active proctype S() { pid p; q?p; served[p]++; q?p; served[p]++; assert(served[1] == 1 && served[2] == 1) }
active [2] proctype C() { q!_pid; served[_pid] == 1 }
