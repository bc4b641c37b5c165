mtype = { a b c a }
proctype P(byte x, byte y) { x = ; if x == 1 -> y = 2 fi; goto nowhere }
init { run Q(1); while (x) { skip }; undeclared++ unless d; L: byte z; !!z; { L: skip } }
ltl { [] (z }
