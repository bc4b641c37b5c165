// what: a model with nothing in it
