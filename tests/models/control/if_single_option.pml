// what: an if with one option is the option itself, without a step of its own
byte n;
active proctype P() { if :: n == 0 -> n = 1 fi; if :: n = 2 fi; assert(n == 2) }
