// what: a claim without accept label, and a process that passes one inside an atomic sequence
// run: -a; expect: violated acceptance-cycle - -; Spin overlooks labels inside atomic sequences
byte x;
active proctype P() { do :: x = 3; atomic { x = 1; accept: x = 2; x = 0 } od }
never { do :: x != 2 od }
