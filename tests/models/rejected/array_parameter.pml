// what: an array as a parameter
proctype P(byte a[2]) { skip }
init { skip }
