// what: enabled(pid) does not ask for the provided clause
// run: -a
bit x;
active proctype A() provided (x == 1) { skip }
active proctype B() { do :: x = 0 od }
never {
	do
	:: enabled(0) -> break
	:: else
	od
}
