// what: a goto as second option is no error in a D_proctype
byte n; active D_proctype P() { do :: n < 3 -> n++ :: goto L od; L: n = 2 }
