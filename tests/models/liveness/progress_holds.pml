// what: every cycle passes a progress label
// run: -l
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> progress: n = 0 od }
