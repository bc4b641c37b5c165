// Conditions whose value does not depend on what they ask: a compiler may know it, and get
// everything around it wrong all the same.
byte g = 1, w, u, arr[3];

active proctype Writer()
{
	byte a, c = 2;

	a = (2 & (g & g)) % 3;
	arr[c % 3] = 1;
	g = (g + a + 1) % 3
}

proctype Chooser(byte m)
{
	byte b = 1, c = 2, zero[2];

end:	do
	:: do
	   :: m = (u / 2) % 3 -> b = Writer:a % 3; w = zero[0]
	   :: (zero[0] < (1 -> g : u)) -> m = ((g + zero[1]) % 3) % 3
	   :: (Writer:a < 0) -> c = zero[1]
	   :: break
	   od
	:: break
	od;
	w = ((c -> u : zero[0]) -> 1 : arr[zero[0]]);
	w = (((c -> u : zero[0]) && g) -> 2 : g);
	w = (!(c -> 1 : 1 + u) -> 2 : (g || (c -> 0 : 0) -> g : m))
}

init {
	byte k = 1;
	run Chooser(0);
	run Chooser(0);
	k = (k + 1) % 3;
	w = k
}
