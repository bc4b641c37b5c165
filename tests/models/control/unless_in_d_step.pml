// what: an unless inside a d_step is reported and its escape ignored
byte n;
active proctype P() { d_step { n = 1; { n = 2 } unless { n == 1 -> n = 4 } }; assert(n == 2) }
