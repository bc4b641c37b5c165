// what: the smallest system: one process, one step, one end step
init { skip }
