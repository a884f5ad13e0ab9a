/*
 * disk_writer FILE LINES: a log whose every line waits for the disk. Looks fine in a profile, which has only CPU time.
 * The cause to find: keepForSure() asks the disk after each line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int keepForSure(int log)
{
	int failed = fsync(log);
	__asm__ volatile("" ::: "memory"); /* no tail call: the function stays on the stack */
	return failed;
}

__attribute__((noinline)) static int writeLine(int log, int number)
{
	char line[64];
	int length = snprintf(line, sizeof line, "line %d: all is well\n", number);
	if (write(log, line, (size_t)length) != length)
		return -1;
	int failed = keepForSure(log);
	__asm__ volatile("" ::: "memory");
	return failed;
}

int main(int argc, char** argv)
{
	if (argc < 3)
		return 2;
	int log = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (log < 0)
		return 1;
	for (int i = atoi(argv[2]); i > 0; i--)
		if (writeLine(log, i) != 0)
			return 1;
	return 0;
}
