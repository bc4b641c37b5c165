// A claim that counts in a global variable of which no process knows.
byte x; byte g;
active proctype P() { do :: x = (x+1)%3 od }
never { 
S0: do
 :: atomic { (x == 1) -> g = (g + 1) % 2 }
 :: x != 1
 od
}
