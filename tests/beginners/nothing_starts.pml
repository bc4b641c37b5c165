byte x;
#define N 3
