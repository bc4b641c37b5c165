// what: a rendezvous send in the middle of a d_step
// expect: violated d_step-rendezvous - - -; Spin stops the whole search
chan q = [0] of { byte };
byte n;
active proctype P() { d_step { n = 1; q!n } }
active proctype Q() { byte m; q?m }
