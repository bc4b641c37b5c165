// what: a proctype with declarations only has just its end step
active proctype P() { byte n; int m }
