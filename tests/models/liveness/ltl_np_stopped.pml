// what: np_ in a formula is false where no process can move any more, at a label or not
// run: -a f
// run: -a g; expect: violated ltl-violation - -; Spin does not look at a formula of this kind again where the system has stopped
// run: -a h
byte x;
active proctype P() { x = 1; timeout; progress: x = 2; x == 3 }
ltl f { []<>!np_ }
ltl g { [](x == 2 -> np_) }
ltl h { <>[]np_ }
