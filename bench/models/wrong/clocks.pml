/* Six clocks share a counter; any run reaches fifty ticks. Breadth-first, that is far away. */
byte c[6]; byte total;
active [6] proctype clock() {
  do
  :: c[_pid] < 9 -> c[_pid]++; total++; assert(total < 50)
  :: c[_pid] == 9 -> break
  od
}
