// what: else is never beside anything
byte n; active D_proctype P() { do :: n < 5 -> n++ :: else -> break od }
