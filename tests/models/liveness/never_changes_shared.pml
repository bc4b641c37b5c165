/* The claim sets what the processes wait for: x goes round with its help alone. */
byte x, y;
bit w;
active proctype P() { do :: x < 3 -> y = x :: x >= 3 -> y = 0 od }
active proctype Busy() { do :: w = 1 - w od }
never {
S0:	do
	:: x < 3 -> x = x + 1
	:: x == 3 && y == 2 -> x = 0; goto accept
	:: w == 1
	od;
accept:
	assert(x < 4);
	y == 2 && w == 1 -> y = 1; goto S1;
S1:	do
	:: x < 3 -> x = 3
	:: else -> x = 1
	od
}
