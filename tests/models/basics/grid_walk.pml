// what: 10,000 states and more: two walkers on a grid that may not meet
byte x1, y1, x2 = 9, y2 = 9;
active proctype One()
{
	do
	:: x1 < 9 && !(x1 + 1 == x2 && y1 == y2) -> x1++
	:: y1 < 9 && !(x1 == x2 && y1 + 1 == y2) -> y1++
	:: x1 == 9 && y1 == 9 -> break
	:: x1 > 0 && y1 == 9 && !(x1 - 1 == x2 && y1 == y2) -> x1--
	od
}
active proctype Two()
{
	do
	:: x2 > 0 && !(x2 - 1 == x1 && y1 == y2) -> x2--
	:: y2 > 0 && !(x1 == x2 && y2 - 1 == y1) -> y2--
	:: x2 == 0 && y2 == 0 -> break
	od
}
