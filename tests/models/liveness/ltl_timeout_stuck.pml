// what: timeout in a formula is true where no process can move, and stays true
// run: -a a
// run: -a b
// run: -a c
// run: -a d
// run: -a e
// run: -a f
// run: -a -f a
// run: -a -f b
// run: -a -f c
// run: -a -f e
// run: -a i; expect: holds - - -; Spin says violated: its claim `timeout` cannot move in the initial state, where P can, and it takes that for a timeout
// run: -a k
byte x;
active proctype P() { byte y; x = 1; y = 2; x == 3 }
ltl a { []!timeout }
ltl b { <>timeout }
ltl c { [](x == 1 -> !timeout) }
ltl d { (!timeout) U (x == 1) }
ltl e { []<>!timeout }
ltl f { []((x == 1) -> timeout) }
ltl i { !timeout }
ltl k { (x == 0) U timeout }
