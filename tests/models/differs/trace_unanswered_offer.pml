// what: a rendezvous that nobody answers is no event of a trace
// expect: holds - 1 1 0; the two never meet, so nothing ever happens; Spin takes the offer for an event and finds that q!1 is not allowed
chan q = [0] of { byte };
active proctype P()
{
end:	q!1
}
active proctype Q()
{
end:	q?2
}
trace {
end:	do :: q!2 od
}
