byte x;
proctyp P() { x = 1 }
init { run P() }
