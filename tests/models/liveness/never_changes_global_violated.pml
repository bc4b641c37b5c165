// What the claim counts in a global variable leads it to its acceptance cycle.
byte x; byte g;
active proctype P() { do :: x = (x+1)%4 od }
never {
S0: do
 :: (x == 1) -> g = (g + 1) % 5
 :: (x != 1 && g < 4)
 :: (g == 4) -> break
 od;
accept: do :: x < 200 od
}
