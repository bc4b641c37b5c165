// what: a process priority out of range
active proctype P() priority 0 { skip }
