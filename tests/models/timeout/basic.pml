// what: timeout is true only when nothing else can move
byte n;
active proctype A() { n = 1; n = 2 }
active proctype B() { timeout -> assert(n == 2) }
