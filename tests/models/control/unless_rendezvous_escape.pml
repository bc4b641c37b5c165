// what: a rendezvous receive as the escape
chan q = [0] of { byte };
byte n, got;
active proctype P() { { do :: n = 1 - n od } unless { q?got }; assert(got == 7) }
active proctype Q() { q!7 }
