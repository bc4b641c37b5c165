// what: a process that stands at its closing brace is in a valid end state even if it cannot go
byte n;
active proctype A() { skip }
active proctype B() { end: n == 1 }
