// what: control that a rendezvous hands over to an atomic sequence passes its accept label
// run: -a; expect: violated acceptance-cycle - -; Spin overlooks labels that are passed on the way
chan r = [0] of { bit };
byte x;
active proctype P() { do :: atomic { x = 1; r!1 } od }
active proctype Q() { do :: atomic { r?_; accept: x = 2; x = 0 } od }
