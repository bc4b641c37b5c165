// what: `;` and `->` mean the same, and extra semicolons add no step
byte n;
active proctype A() { n = 1 -> n = 2 ; n = 3; ; n = 4; }
active proctype B() { (n > 0) ; (n > 1) -> skip; }
