// what: a progress label inside an atomic sequence counts when it is passed
// run: -l; expect: holds - - -; Spin overlooks it and says violated
// run: -l -f; expect: holds - - -; Spin overlooks it and says violated
byte x;
active proctype P() { do :: x = 3; atomic { x = 1; progress: x = 2; x = 0 } od }
