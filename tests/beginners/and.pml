bool a, b;
active proctype P() { (a and b) -> skip }
