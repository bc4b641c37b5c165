// what: guards that exclude each other: deterministic
byte n; active D_proctype P() { do :: n < 5 -> n++ :: n == 5 -> break od }
