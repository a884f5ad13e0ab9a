/*
 * lock_convoy THREADS ROUNDS: threads that queue for one lock, because one of them sleeps while it has it.
 * The cause to find: all wait in countOne(), for the lock that writeReport() holds.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static int g_rounds;
static long g_count;

__attribute__((noinline)) static void writeReport(void)
{
	usleep(3000);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void countOne(void)
{
	pthread_mutex_lock(&g_lock);
	if (++g_count % 4 == 0)
		writeReport();
	pthread_mutex_unlock(&g_lock);
	__asm__ volatile("" ::: "memory");
}

static void* work(void* unused)
{
	for (int i = 0; i < g_rounds; i++)
		countOne();
	return unused;
}

int main(int argc, char** argv)
{
	pthread_t threads[64];
	int n = argc > 2 ? atoi(argv[1]) : 0;
	if (n < 1 || n > 64)
		return 2;
	g_rounds = atoi(argv[2]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
