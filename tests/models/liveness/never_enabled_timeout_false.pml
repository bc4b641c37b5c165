// what: in the only state, nothing can move but by timeout, so that process 0 is enabled
// run: -a; expect: holds - - -; Spin says violated: it lets the claim ask before it finds that no process can move
byte x;
active proctype A() {
	do
	:: timeout
	od
}
active proctype B() { x == 5 }
never {
	do
	:: !enabled(0) -> break
	:: else
	od
}
