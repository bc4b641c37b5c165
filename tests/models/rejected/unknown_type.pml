// what: a type name that was never defined
Foo f;
init { skip }
