// what: strong until: holds, and violated when the second part may never come
// run: -a good
// run: -a bad
byte n;
bit x;
active proctype P() { do :: n < 3 -> n++ :: n == 1 -> do :: x = 1 - x od :: n == 3 -> break od }
ltl good { (n < 2) U (n >= 1) }
ltl bad { (n < 3) U (n == 3) }
