// what: a send to a byte
byte q;
active proctype P() { q!1 }
