// what: an unless inside a loop whose escape breaks the loop
byte n;
active proctype P()
{
	do
	:: { n < 9 -> n++ } unless { n == 4 -> break }
	od;
	assert(n == 4)
}
