// what: a provided clause also holds back the end of a process
bit go = 1;
active proctype B() { go == 0; assert(_nr_pr == 2); go = 1; _nr_pr == 1 }
active proctype A() provided (go) { go = 0 }
