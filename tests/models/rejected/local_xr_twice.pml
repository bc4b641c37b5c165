// what: two processes claim exclusive receive of the same channel
chan q = [1] of { byte };
active proctype A() { xr q; q?_ }
active proctype B() { xr q; q?_ }
