// what: two statements on one line without a separator
byte n;
active proctype P() { n = 1 n = 2 }
