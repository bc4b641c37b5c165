/* Readers and a writer; the last reader releases what the writer holds, if it comes late. */
byte readers, writing; bit gate;
active [5] proctype reader() {
  do
  :: atomic { gate == 0 -> gate = 1 }; readers++; gate = 0;
     assert(writing == 0);
     atomic { gate == 0 -> gate = 1 }; readers--; gate = 0
  od
}
active proctype writer() {
  byte i;
  do
  :: i < 20 -> i++; atomic { gate == 0 -> gate = 1 }; gate = 0
  :: i == 20 -> readers == 0; writing = 1; writing = 0; i = 0
  od
}
