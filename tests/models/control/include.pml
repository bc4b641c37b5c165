// what: #include brings in declarations and inlines from another file
#include "include_part.h"
active proctype P()
{
	n = START;
	bump(n);
	assert(n == START + 1)
}
