ltl p {[]( a->
 <>b U !c)}
never {
T0: if
 :: (P[1]@x&&(a->b:c)) ->
assert(a ||
     b)
fi }
