// what: a receive from a channel variable that was never set
// expect: violated uninitialised-channel - - -; what Spin does behind the error is no guide: it goes on with channel 0
chan q = [1] of { byte };
chan r;
byte n;
active proctype P() { r?n; n = 2 }
