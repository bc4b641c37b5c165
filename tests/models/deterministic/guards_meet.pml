// what: guards that are both true in one state only
byte n; active D_proctype P() { do :: n < 5 -> n++ :: n >= 4 -> break od }
