// what: enabled(pid) is true of a process that can only take timeout, where nothing else can move
// run: -a
byte x;
active proctype A() { timeout }
active proctype B() { x == 5 }
never {
	do
	:: enabled(0) -> break
	:: else
	od
}
