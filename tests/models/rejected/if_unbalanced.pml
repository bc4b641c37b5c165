// what: an #if without #endif
#if 1
init { skip }
