c_decl {
  int a;
  }
active [2] proctype P(byte a;byte b) provided(a>b)
{	q?<a,b>; q!!m(a,b);
end:	do :: c_code [a] { b++; } :: q??[x]->goto end od
}
