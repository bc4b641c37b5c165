/* Timers: a watchdog that may be restarted too late; the error needs ninety ticks. */
byte dog = 90, work; bit alive = 1;
active proctype tick() { do :: atomic { alive && dog > 0 -> dog-- } :: dog == 0 -> assert(work > 200); break od }
active [3] proctype job() {
  byte x;
  do :: x < 60 -> x++; work = (work + x) % 200 :: x >= 60 -> x = 0; if :: dog < 10 -> dog = 20 :: dog >= 10 fi od
}
