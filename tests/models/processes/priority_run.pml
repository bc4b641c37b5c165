// what: run with a priority
byte n;
proctype P(byte k) { n = k }
init priority 10 { atomic { run P(1) priority 2; run P(2) priority 3 }; n = 9; n == 1 }
