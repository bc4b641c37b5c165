// what: a message as a mere signal, with a bit that nobody looks at
chan s = [2] of { bit };
byte n;
active proctype P() { s!0; s!1; n == 2 }
active proctype Q() { s?_; n++; s?1 -> n++ }
