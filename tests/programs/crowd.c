// Calls whose number and arguments are known, from threads on every CPU at once, which change CPUs now and then:
// crowd THREADS COUNT [ROUNDS] makes lseek(-1, 0), lseek(-1, 1) ... lseek(-1, THREADS * COUNT - 1), each once, in any order.
// ROUNDS: how often a thread goes round an empty loop after each call; none if absent.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static long g_count, g_cpus, g_rounds;

static void *calls(void *which)
{
	long first = (long)which * g_count;
	for (long i = 0; i < g_count; i++) {
		if (i % 4096 == 0) {
			cpu_set_t one;
			CPU_ZERO(&one);
			CPU_SET((size_t)(((long)which + i / 4096) % g_cpus), &one);
			sched_setaffinity(0, sizeof one, &one);
		}
		lseek(-1, first + i, SEEK_SET);
		for (volatile long k = 0; k < g_rounds; k++)
			;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	long n = argc > 2 ? atol(argv[1]) : 0;
	if (n < 1 || n > 64)
		return 2;
	g_count = atol(argv[2]);
	g_rounds = argc > 3 ? atol(argv[3]) : 0;
	g_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, calls, (void *)i))
			return 1;
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
