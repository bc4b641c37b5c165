// what: a bounded buffer with three semaphores as counters
#define N 2
byte buffer[N], free = N, used, in, out;
bit mutex;
active [2] proctype Producer()
{
	byte i;
	for (i : 1 .. 2) {
		atomic { free > 0 -> free-- };
		atomic { !mutex -> mutex = 1 };
		buffer[in] = i;
		in = (in + 1) % N;
		mutex = 0;
		used++
	}
}
active proctype Consumer()
{
	byte k, n, sum;
	for (k : 1 .. 4) {
		atomic { used > 0 -> used-- };
		n = buffer[out];
		out = (out + 1) % N;
		sum = sum + n;
		free++
	}
	assert(sum == 6)
}
