// Work whose share in the kernel's statistics is known. kernel_work WHAT N; what it knows of itself is printed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int n;

/* N reads of 12345 bytes and N writes of 4321, and one more that fails. */
static void transfer(void)
{
	static char data[12345];
	int in = open("/dev/zero", O_RDONLY), out = open("/dev/null", O_WRONLY);
	for (int i = 0; i < n; i++)
		if (read(in, data, 12345) != 12345 || write(out, data, 4321) != 4321)
			exit(1);
	if (read(out, data, 12345) >= 0)
		exit(1);
}
/* N fresh pages touched; then a child writes them, which until then it shares. */
static void touch(void)
{
	const size_t size = (size_t)n * 4096;
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		pages[i] = 1;
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	printf("minor %ld major %ld\n", used.ru_minflt, used.ru_majflt);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < size; i += 4096)
			pages[i] = 2;
		_exit(0);
	}
	waitpid(child, NULL, 0);
}
/* Two threads that wake each other N times. */
static int there[2], back[2];
static void *answer(void *none)
{
	char c;
	while (read(there[0], &c, 1) == 1)
		if (write(back[1], &c, 1) != 1)
			break;
	return none;
}
static void pass(void)
{
	pthread_t thread;
	if (pipe(there) || pipe(back))
		exit(1);
	pthread_create(&thread, NULL, answer, NULL);
	char c = 0;
	for (int i = 0; i < n; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	close(there[1]);
	pthread_join(thread, NULL);
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	printf("voluntary %ld involuntary %ld\n", used.ru_nvcsw, used.ru_nivcsw);
}
/* Four threads that change one address space N times each: its lock is for one at a time. */
static void *change(void *none)
{
	for (int i = 0; i < n; i++) {
		void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		munmap(p, 1 << 20);
	}
	return none;
}
static void contend(void)
{
	pthread_t threads[4];
	struct timespec begin, end;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, change, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("ns %lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + (end.tv_nsec - begin.tv_nsec));
}
/* N milliseconds of CPU time. */
static void spin(void)
{
	struct timespec used;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < n);
	printf("ms %ld\n", (long)(used.tv_sec * 1000 + used.tv_nsec / 1000000));
}
/* Children that end by the processor's verdict. */
static void fault(void)
{
	for (int kind = 0; kind < 3; kind++) {
		pid_t child = fork();
		if (child == 0) {
			struct rlimit none = {0, 0};
			setrlimit(RLIMIT_CORE, &none);
			volatile int zero = 0;
			if (kind == 0)
				*(volatile int *)(long)zero = 1;
			else if (kind == 1)
				zero = n / zero;
			else
				__asm__ volatile("ud2");
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}
/* N children that exec a path which none of them has touched, then one that is not there. */
static void replace(void)
{
	static char *none[] = {NULL};
	for (int i = 0; i < n; i++) {
		pid_t child = fork();
		if (child == 0) {
			execve("/nowhere/to/be/found", none, none);
			execve("/bin/true", none, none);
			_exit(1);
		}
		waitpid(child, NULL, 0);
	}
}
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {{"transfer", transfer}, {"touch", touch}, {"pass", pass}, {"contend", contend}, {"spin", spin}, {"fault", fault},
		   {"replace", replace}};
	if (argc != 3)
		return 2;
	n = atoi(argv[2]);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(argv[1], all[i].name) == 0)
			return all[i].run(), 0;
	return 2;
}
