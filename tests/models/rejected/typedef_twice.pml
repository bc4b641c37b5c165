// what: the same typedef twice
typedef R { byte x };
typedef R { byte y };
init { skip }
