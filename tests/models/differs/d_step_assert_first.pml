// what: a d_step that begins with an assertion cannot come between the two halves of a rendezvous
// expect: holds - 8 10 0; eight combinations of met or not, R at its start, done or gone, and the two ends; nine steps lead between them; Spin lets R step in while the message is offered
chan q = [0] of { byte };
byte n;
active proctype P() { q!1 }
active proctype Q() { byte b; q?b }
active proctype R() { d_step { assert(n == 0); n = 1 } }
