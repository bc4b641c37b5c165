/* Only because the claim lets P go again and again is there a cycle through the label. */
byte go, done;
active proctype P() { do :: go == 1 -> go = 0; done = 1 - done od }
never {
S0:	do
	:: go == 0 -> go = 1; goto accept
	:: else
	od;
accept:
	done >= 0 -> goto S0
}
