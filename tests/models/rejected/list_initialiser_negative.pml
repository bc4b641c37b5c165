// what: a negative number in a list initialiser
short a[2] = { 1, -2 };
init { skip }
