// what: a process that is started late, above or below a younger one
byte n;
proctype Late(byte k) { n = n + k; assert(_pid >= 1 && _pid <= 3) }
active proctype A() { run Late(1) }
active proctype B() { run Late(2); n >= 2 }
