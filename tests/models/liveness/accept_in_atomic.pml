// what: an accept label inside an atomic sequence counts when it is passed
// run: -a; expect: violated acceptance-cycle - -; Spin overlooks it unless it is on the last statement
byte n;
active proctype P() { do :: n = 4; atomic { n = 1; accept: n = 2; n = 0 }; n = 5 od }
