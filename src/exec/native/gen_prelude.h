// The text that every generated file begins with.
#ifndef GYRE_EXEC_NATIVE_GEN_PRELUDE_H
#define GYRE_EXEC_NATIVE_GEN_PRELUDE_H

extern const char gy_native_prelude[];

#endif
