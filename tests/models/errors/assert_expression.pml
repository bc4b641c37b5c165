// what: an assertion over a channel poll and a remote reference fails
chan q = [1] of { byte };
active proctype A() { q!1; l: skip }
active proctype B() { assert(!(q?[1] && A@l)) }
