// what: an initialised channel declared behind the first statement
byte n;
active proctype P() { n = 1; chan q = [1] of { byte }; q!1 }
