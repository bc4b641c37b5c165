// what: an accept label in a branch of an atomic sequence that is taken once
// run: -a
byte x;
active proctype P()
{
	do
	:: atomic { x < 5 -> x++; if :: x == 2 -> skip; accept: x = 3; x = 4 :: else fi }
	:: atomic { x == 5 -> x = 7; x = 5 }
	od
}
