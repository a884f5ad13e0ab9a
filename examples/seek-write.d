#!/usr/bin/env -S dscope -s
/*
 * Does a program seek without need? How far each lseek(2) of it moves from the one before, and how much each write(2)
 * writes, by file descriptor.
 *
 *   dscope -s examples/seek-write.d -c ./database
 */
#pragma D option quiet

int64_t at[uint64_t];

syscall::lseek:entry
/pid == $target/
{
	@seeks[arg0, (int64_t)arg1 - at[arg0]] = count();
	at[arg0] = (int64_t)arg1;
}

syscall::write:entry
/pid == $target/
{
	@writes[arg0, arg2] = count();
}

END
{
	printf("%-8s %8s %12s %10s\n", "lseek", "fdesc", "delta", "count");
	printa("         %8d %12d %@10d\n", @seeks);
	printf("\n%-8s %8s %12s %10s\n", "write", "fdesc", "size", "count");
	printa("         %8d %12d %@10d\n", @writes);
}
