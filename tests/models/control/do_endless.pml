// what: an endless loop over a small counter never stops and has no end state
byte n;
active proctype P() { do :: n = (n + 1) % 5 od }
