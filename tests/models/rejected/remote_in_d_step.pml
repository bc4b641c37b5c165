// what: a remote reference inside a d_step
byte n;
active proctype B() { byte x = 1; l: skip }
active proctype A() { d_step { n = 1; B@l -> n = 2 } }
