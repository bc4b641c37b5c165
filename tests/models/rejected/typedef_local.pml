// what: a typedef inside a proctype
active proctype P() { typedef R { byte x }; R r; r.x = 1 }
