// what: xr outside a proctype
chan q = [1] of { byte };
xr q;
init { q!1 }
