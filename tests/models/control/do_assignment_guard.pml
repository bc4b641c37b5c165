// what: a loop whose guard is an assignment and whose exit is a condition
byte n;
active proctype P() { do :: n++ -> if :: n > 3 -> break :: else -> skip fi od; assert(n == 4) }
