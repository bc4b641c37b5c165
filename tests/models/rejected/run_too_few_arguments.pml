// what: run with fewer arguments than parameters
// note: Spin dies with SIGSEGV
proctype Q(byte a; byte b) { skip }
init { run Q(1) }
