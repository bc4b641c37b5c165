mtype:fruit = { apple, pear };
mtype:fruit f = 0;
mtype:fruit g;
active proctype P() { f = 2; g = pear; assert(f == apple) }
