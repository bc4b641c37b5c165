// what: a trace that is declared before all proctypes watches a rendezvous sent by process 0
// expect: holds - 5 5 0; as trace/rendezvous.pml, where the trace stands last: in Spin no rendezvous sent by process 0 completes here
chan q = [0] of { byte };
trace { q!1; q!2 }
active proctype S() { q!1; q!2 }
active proctype R() { byte n; q?n; q?n }
