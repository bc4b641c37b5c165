// what: states that are reached by several orders are stored once
byte n;
active [4] proctype P() { n++; n++ }
