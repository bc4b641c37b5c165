// what: local variables of a claim have their initial values
// run: -a; expect: violated claim-end - -; Spin's pan says so; spin -a itself complains about the local variable
byte x;
active proctype P() { do :: x = 1 - x od }
never { byte n = 2; bool a[3]; do :: n == 2 && x == 1 && a[1] == 0 -> break :: else od }
