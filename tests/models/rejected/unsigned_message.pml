// what: unsigned as the type of a message field
chan q = [1] of { unsigned };
init { skip }
