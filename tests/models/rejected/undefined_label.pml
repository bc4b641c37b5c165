// what: a goto to a label that does not exist
byte n;
active proctype P() { n = 1; goto nowhere }
