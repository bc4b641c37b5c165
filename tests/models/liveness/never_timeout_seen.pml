// what: timeout in a claim is true where no process can go on but by timeout
// run: -a
byte x;
active proctype P() { x = 1; timeout; x = 2; x = 3 }
never { do :: !timeout :: timeout -> break od }
