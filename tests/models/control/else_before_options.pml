// what: an else of an if that begins an option of a do does not wait for the options behind it
byte c;
active proctype C() { c = 5 }
active proctype Q() {
  byte x, f;
  f = 1;
  x = c;
  c = x;
  do
  :: if :: f == 0 -> break :: else -> assert(x != 5); break fi
  :: f == 1 -> skip; break
  od
}
