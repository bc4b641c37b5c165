// what: two locks taken in opposite order
bit a, b;
active proctype P() { atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; b = 0; a = 0 }
active proctype Q() { atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; a = 0; b = 0 }
