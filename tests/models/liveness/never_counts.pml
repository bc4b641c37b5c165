// what: a claim that counts in a variable of its own
// run: -a; expect: violated claim-end - -; Spin's pan says so; spin -a itself complains about the local variable
byte x;
active proctype P() { do :: x = 1 - x od }
never { byte n; do :: n < 3 -> n++ :: n == 3 -> break od }
