// what: set_priority with a value outside 1..255
// expect: violated priority-out-of-range - - -; Spin stops the whole search
byte n = 0;
active proctype P() priority 2 { n = 1; set_priority(_pid, n - 1); n = 2 }
