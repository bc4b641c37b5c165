// what: an assignment beside a goto before it is an error in a D_proctype
byte n; active D_proctype P() { if :: goto L :: n = 1 fi; L: skip }
