// what: several runs in an atomic sequence start their processes together
byte n;
proctype P(byte i) { assert(_nr_pr == 4 || n > 0); n++ }
init { atomic { run P(0); run P(1); run P(2) }; n == 3 }
