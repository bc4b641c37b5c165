// what: two exclamation marks in a row are a sorted send
byte x;
active proctype P() { !!x }
