define(`loop', `$1 ifelse($1, 3, `', `loop(incr($1))')')dnl
loop(0)
