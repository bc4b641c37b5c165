// what: a claim that waits for a timeout that does not come
// run: -a; expect: holds - - -; Spin says violated, but P1 can move in the initial state
byte x;
active proctype P0() { x == 2; timeout }
active proctype P1() { do :: x = 1 - x od }
never {
accept:	if :: timeout -> goto accept fi
}
