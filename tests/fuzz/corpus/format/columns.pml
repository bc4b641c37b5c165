byte  x;    // a
short yy;   // b
            // c
/* d
 * e */
init {
	if
	:: x     -> yy = x- -1
	:: else -> skip
	fi
}
