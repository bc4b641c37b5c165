// what: Peterson's filter lock for three processes
#define N 3
byte level[N], last[N], in;
active [N] proctype P()
{
	byte k, j;
	do
	:: for (k : 1 .. N - 1) {
		d_step { level[_pid] = k; last[k] = _pid };
		atomic {
			last[k] != _pid ||
			(_pid != 0 -> level[0] < k : true) &&
			(_pid != 1 -> level[1] < k : true) &&
			(_pid != 2 -> level[2] < k : true)
		}
	   }
	   in++;
	   assert(in == 1);
	   in--;
	   level[_pid] = 0
	od
}
