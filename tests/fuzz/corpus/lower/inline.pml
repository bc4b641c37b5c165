#define N 2
int x, y
inline swap(a, b) { int t; t = a; a = b; b = t }
inline twice(a) { return a * N }
inline both(c) { swap(x, y); x = twice(c); goto out; out: skip }
active [N] proctype P() { both(y + 1); both(3) }
