#define S(x) #x
#if 0
 isnt }
#else
init { S(a  +b); \
  x=1 }
#endif
