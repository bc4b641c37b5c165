// what: _pid in expressions and array indices
byte a[3];
active [3] proctype P() { a[_pid] = _pid * 2; assert(a[_pid] == _pid + _pid) }
