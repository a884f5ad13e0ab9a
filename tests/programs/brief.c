// Starts processes that are gone a few milliseconds later, one after another: by turns a mere fork, this program again, and
// a copy of it at another path. Each works in the call chain main, outer, middle, inner, work. brief COUNT COPY
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noipa))
static volatile uint64_t sink;
static NOINLINE uint64_t work(uint64_t x)
{
	for (int i = 0; i < 2500000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}
#define LINK(name, next) static NOINLINE uint64_t name(uint64_t x) { return next(x) + 1; }
LINK(inner, work)
LINK(middle, inner)
LINK(outer, middle)
int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "child") == 0) {
		sink = outer(1);
		return 0;
	}
	if (argc != 3) return 2;
	for (int i = 0, count = atoi(argv[1]); i < count; i++) {
		const pid_t child = fork();
		if (child == 0) {
			if (i % 3 != 0) {
				execl(i % 3 == 1 ? "/proc/self/exe" : argv[2], "brief", "child", (char *)0);
				_exit(127);
			}
			sink = outer(1);
			_exit(0);
		}
		int status = 0;
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
			fprintf(stderr, "brief: child %d: status %d\n", i, status);
			return 1;
		}
	}
	return 0;
}
