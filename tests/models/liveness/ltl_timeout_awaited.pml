// what: timeout in a formula where a process waits for one
// run: -a a
// run: -a b
// run: -a c
// run: -a d
// run: -a e
// run: -a -f a
// run: -a -f b
// run: -a -f c
// run: -a j; expect: holds - - -; Spin says violated: it lets the claim try `!timeout` before it finds that no process can move
byte x;
active proctype P() { timeout; x = 1; false }
ltl a { []!timeout }
ltl b { <>timeout }
ltl c { [](x == 1 -> !timeout) }
ltl d { [](timeout -> x == 1) }
ltl e { <>[]timeout }
ltl j { timeout }
