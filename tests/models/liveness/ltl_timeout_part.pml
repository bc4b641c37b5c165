// what: a step whose guard mentions timeout, but can be taken without
// run: -a a
// run: -a b
// run: -a c
// run: -a d
// run: -a -f a
// run: -a -f b
// run: -a g; expect: holds - - -; Spin says violated: its claim cannot move but by timeout, whatever the processes could do
byte x;
active proctype P()
{
	x = 1;
	do
	:: timeout -> x = 0; x = 1
	:: timeout || x == 1 -> x = 2
	od
}
active proctype Q() { x == 2; x = 3; do :: x == 2 -> x = 4 od }
ltl a { []!timeout }
ltl b { <>timeout }
ltl c { [](x == 1 -> !timeout) }
ltl d { [](timeout -> x == 1) }
ltl g { []<>!timeout }
