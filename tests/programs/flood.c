// As many getppid(2) as asked for, as fast as they go. flood COUNT
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (long n = argc > 1 ? atol(argv[1]) : 0; n > 0; n--)
		syscall(SYS_getppid);
	return 0;
}
