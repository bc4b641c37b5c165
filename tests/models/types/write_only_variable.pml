// what: a variable that is never read still is part of the state
byte w, n;
active proctype P()
{
	do
	:: n < 3 -> w = n * 5; n++
	:: n < 3 -> w = 0; n++
	:: else -> break
	od
}
