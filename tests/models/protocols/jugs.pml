// what: two jugs of 3 and 5: the assertion fails when one holds 4
byte a, b;
active proctype P()
{
	do
	:: a < 3 -> a = 3
	:: b < 5 -> b = 5
	:: a > 0 -> a = 0
	:: b > 0 -> b = 0
	:: a > 0 && b < 5 -> d_step { if :: a <= 5 - b -> b = b + a; a = 0 :: else -> a = a - (5 - b); b = 5 fi }
	:: b > 0 && a < 3 -> d_step { if :: b <= 3 - a -> a = a + b; b = 0 :: else -> b = b - (3 - a); a = 3 fi }
	:: assert(b != 4)
	od
}
