// what: a receive from an empty channel inside a d_step
// expect: violated d_step-blocks - - -; Spin stops the whole search
chan q = [1] of { byte };
byte n;
active proctype P() { d_step { n = 1; q?n } }
