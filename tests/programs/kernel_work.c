// Work whose share in the kernel's statistics is known. kernel_work WHAT N; what it knows of itself is printed. With a
// third argument also what the kernel counted of it and of the machine meanwhile: between two calls of close(-31337).
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
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

/* What the kernel's files say that the tests look at, each read by one call: the reader counts itself. */
static const struct source {
	const char *path;
	const char *names[5];
} sources[] = {
	{"/proc/stat", {"ctxt", "processes"}},
	{"/proc/vmstat", {"pgfault", "pgmajfault", "pgpgin", "pgpgout"}},
	{"/proc/interrupts", {"RES:", "CAL:"}},
	{"/proc/self/io", {"rchar:", "wchar:", "syscr:", "syscw:", "write_bytes:"}},
};
enum { SOURCES = sizeof sources / sizeof *sources };
struct accounts {
	long long of[SOURCES][5];
	long long scheduled[3]; /* nanoseconds on a CPU, nanoseconds of waiting for one, how often on one */
	long long minor, major, now;
	long long read; /* by the last read of /proc/self/io, which it counts only after that */
};
static char text[1 << 18];
static ssize_t whole(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	close(fd);
	text[size > 0 ? size : 0] = 0;
	return size;
}
static void look(struct accounts *a, size_t i)
{
	a->read = whole(sources[i].path);
	for (int n = 0; n < 5 && sources[i].names[n]; n++) {
		size_t length = strlen(sources[i].names[n]);
		for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
			char *at = line + strspn(line, " "), *end = at;
			if (strncmp(at, sources[i].names[n], length) != 0 || at[length] != ' ')
				continue;
			a->of[i][n] = 0;
			for (at += length;; at = end) { /* one number, or one for each CPU */
				long long number = strtoll(at, &end, 10);
				if (end == at)
					break;
				a->of[i][n] += number;
			}
		}
	}
}
static void look_at_scheduler(struct accounts *a)
{
	whole("/proc/self/schedstat");
	sscanf(text, "%lld %lld %lld", &a->scheduled[0], &a->scheduled[1], &a->scheduled[2]);
	struct rusage used;
	struct timespec now;
	getrusage(RUSAGE_SELF, &used);
	clock_gettime(CLOCK_MONOTONIC, &now);
	a->minor = used.ru_minflt;
	a->major = used.ru_majflt;
	a->now = now.tv_sec * 1000000000LL + now.tv_nsec;
}
static void accounted(void (*run)(void))
{
	static struct accounts before, after;
	look_at_scheduler(&after); /* all is in memory when it counts */
	for (size_t i = 0; i < SOURCES; i++)
		look(&before, i);
	look_at_scheduler(&before);
	look(&before, SOURCES - 1);
	close(-31337);
	run();
	close(-31337);
	look(&after, SOURCES - 1);
	look_at_scheduler(&after);
	for (size_t i = 0; i + 1 < SOURCES; i++)
		look(&after, i);
	after.of[SOURCES - 1][0] -= before.read;
	after.of[SOURCES - 1][2] -= 1;
	for (size_t i = 0; i < SOURCES; i++)
		for (int k = 0; k < 5 && sources[i].names[k]; k++)
			printf("%s%s %lld\n", i == 1 ? "vmstat." : "", sources[i].names[k], after.of[i][k] - before.of[i][k]);
	printf("ran: %lld\nwaited: %lld\nslices: %lld\n", after.scheduled[0] - before.scheduled[0],
	       after.scheduled[1] - before.scheduled[1], after.scheduled[2] - before.scheduled[2]);
	printf("minor: %lld\nmajor: %lld\nelapsed: %lld\n", after.minor - before.minor, after.major - before.major,
	       after.now - before.now);
}
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
				__builtin_trap();
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
/* N blocks written past the page cache. */
static void store(void)
{
	char path[] = "/var/tmp/dscope-store-XXXXXX";
	int fd = mkostemp(path, O_DIRECT);
	void *block = NULL;
	if (fd < 0 || posix_memalign(&block, 4096, 4096))
		exit(1);
	unlink(path);
	memset(block, 1, 4096);
	for (int i = 0; i < n; i++)
		if (pwrite(fd, block, 4096, 4096L * i) != 4096)
			exit(1);
	close(fd);
}
/* On each CPU that is allowed, one after the other, N times offers it to others. */
static void yield(void)
{
	cpu_set_t all, one;
	sched_getaffinity(0, sizeof all, &all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof one, &one);
		for (int i = 0; i < n; i++)
			sched_yield();
	}
}
/* N times, a thread of real-time priority 10 wants a lock that inherits it and that we have. */
static pthread_mutex_t inherits;
static pthread_barrier_t taken;
static void *wants(void *none)
{
	struct sched_param ten = {.sched_priority = 10};
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &ten) != 0)
		printf("refused: 1\n");
	for (int i = 0; i < n; i++) {
		pthread_barrier_wait(&taken);
		pthread_mutex_lock(&inherits);
		pthread_mutex_unlock(&inherits);
		pthread_barrier_wait(&taken);
	}
	return none;
}
static void boost(void)
{
	pthread_mutexattr_t how;
	pthread_mutexattr_init(&how);
	pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inherits, &how);
	pthread_barrier_init(&taken, NULL, 2);
	pthread_t thread;
	pthread_create(&thread, NULL, wants, NULL);
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&inherits);
		pthread_barrier_wait(&taken);
		/* Until the kernel knows of the waiter. Source: linux/futex.h, FUTEX_WAITERS */
		while ((*(volatile unsigned *)&inherits & 0x80000000) == 0)
			sched_yield();
		pthread_mutex_unlock(&inherits);
		pthread_barrier_wait(&taken);
	}
	pthread_join(thread, NULL);
}
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {{"transfer", transfer}, {"touch", touch}, {"pass", pass}, {"contend", contend}, {"spin", spin}, {"fault", fault},
		   {"replace", replace}, {"store", store}, {"yield", yield}, {"boost", boost}};
	if (argc < 3)
		return 2;
	n = atoi(argv[2]);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(argv[1], all[i].name) == 0)
			return argc > 3 ? accounted(all[i].run) : all[i].run(), 0;
	return 2;
}
