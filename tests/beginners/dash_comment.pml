byte x;
-- a comment
active proctype P() { x = 1 }
