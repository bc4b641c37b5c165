// what: eight premises of strong fairness in a formula; they say that each of eight is served
// run: -a f; expect: holds - - -; Spin does not get its automaton done
bool e[8], m[8];
byte x;
active proctype P() {
	byte i;
	do
	:: e[x] = 1;
		if
		:: m[x] = 1; m[x] = 0; e[x] = 0; x = (x + 1) % 8
		:: e[x] = 0
		fi
	od
}
ltl f {
	(([]<>e[0] -> []<>m[0]) && ([]<>e[1] -> []<>m[1]) && ([]<>e[2] -> []<>m[2]) && ([]<>e[3] -> []<>m[3]) &&
	([]<>e[4] -> []<>m[4]) && ([]<>e[5] -> []<>m[5]) && ([]<>e[6] -> []<>m[6]) && ([]<>e[7] -> []<>m[7])) -> []<>(x == 7)
}
