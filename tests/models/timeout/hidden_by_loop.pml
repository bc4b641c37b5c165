// what: a loop that can always go on keeps timeout from ever being true
bit b;
active proctype A() { do :: b = 1 - b od }
active proctype B() { end: timeout -> assert(false) }
