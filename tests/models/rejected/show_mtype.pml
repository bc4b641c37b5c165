// what: show in front of an mtype list
show mtype = { x };
init { skip }
