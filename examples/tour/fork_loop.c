/*
 * fork_loop TIMES: a server that starts a helper for every request, and never waits for one: each stays as a zombie.
 * The cause to find: askHelper() forks.
 */
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int askHelper(void)
{
	pid_t helper = fork();
	if (helper == 0)
		_exit(0);
	return helper < 0;
}

__attribute__((noinline)) static int serve(int requests)
{
	int failed = 0;
	for (int i = 0; i < requests; i++) {
		failed += askHelper();
		usleep(2000);
	}
	return failed;
}

int main(int argc, char** argv)
{
	return argc < 2 ? 2 : serve(atoi(argv[1])) != 0;
}
