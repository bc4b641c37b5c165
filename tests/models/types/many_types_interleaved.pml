// what: several thousand states over variables of every type
bit t; byte b; short s = -3; unsigned u : 2; int n = 100000;
active proctype A() { do :: t = 1 - t :: b < 3 -> b++ :: b == 3 -> break od }
active proctype B() { do :: s < 3 -> s++ :: u++ :: s == 3 -> break od }
active proctype C() { do :: n < 100004 -> n = n + 1 :: else -> break od }
