// what: comments, line continuation and white space in odd places
byte /* one */ n /* two */ = /* three */ 4; // end
#define LONG n == \
	4
active proctype P() { /* nothing
	over two lines */ assert(LONG) ; // last
}
