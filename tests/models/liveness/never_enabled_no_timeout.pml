// what: enabled(pid) is false of a process that waits for timeout, where another one can move
// run: -a
byte x;
active proctype A() { timeout }
active proctype B() { do :: x = 1 - x od }
never {
	do
	:: enabled(0) -> break
	:: else
	od
}
