byte x; active proctype P() { if :: (x > 1 ? 2 : 3) == 2 -> skip :: else fi }
