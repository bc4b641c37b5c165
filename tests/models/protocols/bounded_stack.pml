// what: a stack without locks loses an element
byte top, stack[4], popped;
proctype Push(byte v) { byte t; t = top; stack[t] = v; top = t + 1 }
init { byte n; atomic { run Push(1); run Push(2) }; _nr_pr == 1; n = top; assert(n == 2) }
