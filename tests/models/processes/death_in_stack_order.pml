// what: a process that has ended stays until all younger ones have gone
byte n;
active proctype Old() { skip; n = 1 }
active proctype Mid() { n == 1 -> skip }
active proctype Young() { n == 1; assert(_nr_pr == 3) }
