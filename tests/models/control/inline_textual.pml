// what: inline arguments are put in without brackets
int r;
inline twice(x) { r = x * 2 }
active proctype P() { twice(3 + 1); assert(r == 5) }
