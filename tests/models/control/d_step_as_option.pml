// what: d_steps as the options of a do
byte a, b;
active proctype P()
{
	do
	:: d_step { a < 3 -> a++; b = b + a }
	:: d_step { b > 0 -> b--; a = a }
	:: d_step { a == 3 && b == 0 -> a = 0; b = 0 }
	:: a == 3 && b == 0 -> break
	od
}
