// what: pids follow the order of declaration, with init where it stands
byte p[4];
active proctype A() { p[0] = _pid; assert(_pid == 0) }
active [2] proctype B() { assert(_pid == 1 || _pid == 2) }
init { p[3] = _pid; assert(_pid == 3) }
