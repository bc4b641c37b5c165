// what: _last is the pid of the process that made the last step
byte n;
active proctype A() { n++; n++ }
active proctype B() { n == 2; assert(_last == 1); n++ }
