// what: a send on a channel variable that was never set
// expect: violated uninitialised-channel - - -; what Spin does behind the error is no guide: it goes on with channel 0
chan q = [1] of { byte };
chan r;
byte n;
active proctype P() { n = 1; r!1; n = 2 }
