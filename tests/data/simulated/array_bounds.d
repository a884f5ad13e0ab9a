/* An index that no constant is is checked when the program runs: of every dimension, read or written; a fault tells it. */
#pragma D option quiet

struct row {
	int cells[4];
	int after;
};
int grid[3][4];
struct row rows[string];
struct row one;

syscall::lseek:entry
{
	i = arg0;
	j = arg1;
}

syscall::lseek:entry
{
	grid[i][j] = 7;
	printf("grid %d\n", grid[i][j]);
}

syscall::lseek:entry
{
	one.after = 9;
	one.cells[j] = 5;
	printf("cell %d after %d\n", one.cells[j], one.after);
	rows["a"] = one;
	printf("kept %d\n", rows["a"].cells[j]);
}

ERROR
{
	printf("error %d at %d\n", arg4, arg5);
}
@@fire syscall::lseek:entry arg0=2 arg1=3
@@fire syscall::lseek:entry arg0=3 arg1=3
@@fire syscall::lseek:entry arg0=0 arg1=4
@@fire syscall::lseek:entry arg0=-1 arg1=0
@@expect
grid 7
cell 5 after 9
kept 5
error 11 at 3
cell 5 after 9
kept 5
error 11 at 4
error 11 at 4
error 11 at -1
cell 5 after 9
kept 5

