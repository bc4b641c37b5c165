// what: two proctypes of the same name
active proctype P() { skip }
active proctype P() { skip }
