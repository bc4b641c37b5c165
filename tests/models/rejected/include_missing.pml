// what: an include of a file that does not exist
#include "no_such_file.h"
init { skip }
