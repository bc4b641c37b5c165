// what: a send with a field on the only channel there is, which was never given a type
chan q;
byte n;
active proctype P() { q!1; n = 1 }
