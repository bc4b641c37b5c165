// what: the end of a process counts as a step that timeout waits for
active proctype A() { timeout -> assert(_nr_pr == 1) }
active proctype B() { skip }
