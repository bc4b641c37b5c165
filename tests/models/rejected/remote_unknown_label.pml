// what: a remote reference to a label that does not exist
active proctype B() { skip }
active proctype A() { B@nowhere }
