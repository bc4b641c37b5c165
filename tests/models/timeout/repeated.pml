// what: a loop that goes on at each timeout
byte n;
active proctype A() { do :: timeout -> n++; if :: n == 3 -> break :: else fi od }
active proctype B() { byte k; do :: n > k -> k = n :: n == 3 -> break od }
