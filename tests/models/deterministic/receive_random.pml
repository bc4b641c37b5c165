// what: a random receive is one statement, whatever it finds
chan a = [2] of {byte}; byte x; active D_proctype P() { a!1; a!2; a??x; a??x }
