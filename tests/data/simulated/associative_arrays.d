/* Keys of numbers and strings; what was never set is 0 or NULL; 0 takes an element away. */
#pragma D option quiet

int seen[string, int];
string names[int];

syscall::openat:entry
{
	seen[execname, pid]++;
	names[pid] = execname;
}

END
{
	printf("%d %d %d\n", seen["a", 1], seen["a", 2], seen["b", 1]);
	printf("[%s] [%s] %d\n", names[1], names[2], names[3] == NULL);
	seen["a", 1] = 0;
	printf("%d %d\n", seen["a", 1], seen["a", 2]);
	grid[1, 2] = 3;
	grid[2, 1] = 4;
	printf("%d %d %d\n", grid[1, 2], grid[2, 1], grid[1, 1]);
}
@@fire syscall::openat:entry execname=a pid=1
@@fire syscall::openat:entry execname=a pid=1
@@fire syscall::openat:entry execname=a pid=2
@@fire syscall::openat:entry execname=bb pid=2
@@expect
2 1 0
[a] [bb] 1
0 1
3 4 0

