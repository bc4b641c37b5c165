// what: a hidden variable is not part of the state: writing it gives the same state
hidden byte h;
byte n;
active proctype P()
{
	do
	:: n < 2 -> h = n + 1; n = h
	:: h = 7; h = 8
	:: n == 2 -> break
	od
}
