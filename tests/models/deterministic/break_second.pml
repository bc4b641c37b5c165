// what: a break as second option is no error in a D_proctype
byte n; active D_proctype P() { do :: n < 3 -> n++ :: break od; n = 2 }
