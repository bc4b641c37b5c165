// what: a claim asks whether a process can move, and then looks at a variable of its own
// run: -a; expect: violated: the process goes on for ever, and c goes up and down with it
byte x;
active proctype P() { do :: x = 1 - x od }
never {
	byte c;
accept:
	do
	:: enabled(0) && c == 0 -> c = 1
	:: d_step { enabled(0) && c == 1 -> c = 0 }
	od
}
