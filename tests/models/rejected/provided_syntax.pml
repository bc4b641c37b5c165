// what: a provided clause without brackets
byte n;
active proctype P() provided n == 1 { skip }
