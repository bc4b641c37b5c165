float x;
active proctype P() { float y; x = 1 }
