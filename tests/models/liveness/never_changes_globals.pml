// Globals of several types and an array, read and written by the claim alone.
byte x; byte g = 2; short a[3]; bool flip;
active proctype P() { do :: x = (x+1)%4 od }
active proctype Q() { do :: flip = !flip od }
never {
S0: do
 :: atomic { (x == 1 && flip) -> g = (g + 3) % 7 }
 :: (x != 1) -> a[x % 3] = g
 :: (x == 1 && g == 100) -> goto accept
 :: (x == 1 && !flip)
 od;
accept: skip
}
