// what: active [n] starts n processes with their own locals
byte n;
active [3] proctype P() { byte mine = _pid; n = n + mine; assert(mine == _pid) }
