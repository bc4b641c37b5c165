// what: an escape goes before what it guards: no choice in a D_proctype
byte n; active D_proctype P() { { n = 1; n = 2 } unless { n == 1 } }
