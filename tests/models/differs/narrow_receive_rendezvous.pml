// what: the same over a rendezvous: a sender's value is whole again for the second receiver
// expect: holds - 6 6 0; as with a short b: Spin undoes the receive from the variable, the offer becomes 44
chan q = [0] of { short };
byte b;
short w;
active proctype S() { q!300 }
active proctype B() { end: q?w; assert(w == 300) }
active proctype A() { end: q?b; assert(b == 44) }
