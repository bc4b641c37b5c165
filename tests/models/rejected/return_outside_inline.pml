// what: return outside an inline
// note: Spin dies with SIGSEGV
byte n;
init { return n }
