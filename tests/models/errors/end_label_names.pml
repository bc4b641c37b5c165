// what: every label that begins with end counts, end1 and end_here
byte n;
active proctype A() { end1: n == 9 -> skip }
active proctype B() { n = 1; end_here: n == 9 }
active proctype C() { endless: n == 8 }
