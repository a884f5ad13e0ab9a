// Ways in which processes and threads begin and become programs, each ROUNDS times: fork, vfork and exec, posix_spawn,
// clone3, a thread, an exec from a thread that is not the first. births ROUNDS
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/sched.h>
extern char **environ;
static char *const quick[] = {"/bin/true", NULL};

static void *nothing(void *argument) { return argument; }
static pthread_barrier_t begun; // an exec that finds the first thread still in clone3() ends that call
static void *become(void *argument)
{
	pthread_barrier_wait(&begun);
	execv(quick[0], quick);
	return argument;
}
static void reap(pid_t child) { waitpid(child, NULL, 0); }
static void forked(void)
{
	pid_t child = fork();
	if (child == 0) _exit(3);
	reap(child);
}
static void vforked(void)
{
	pid_t child = vfork();
	if (child == 0) {
		execv(quick[0], quick);
		_exit(1);
	}
	reap(child);
}
static void spawned(void)
{
	pid_t child;
	if (posix_spawn(&child, quick[0], NULL, NULL, quick, environ) == 0) reap(child);
}
static void cloned(void)
{
	struct clone_args args;
	memset(&args, 0, sizeof args);
	args.exit_signal = SIGCHLD;
	long child = syscall(SYS_clone3, &args, sizeof args);
	if (child == 0) syscall(SYS_exit_group, 0);
	reap((pid_t)child);
}
static void threaded(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
}
static void exec_in_thread(void)
{
	pid_t child = fork();
	if (child == 0) {
		pthread_t thread;
		pthread_barrier_init(&begun, NULL, 2);
		pthread_create(&thread, NULL, become, NULL);
		pthread_barrier_wait(&begun);
		pthread_join(thread, NULL);
		_exit(1);
	}
	reap(child);
}
int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		forked();
		vforked();
		spawned();
		cloned();
		threaded();
		exec_in_thread();
	}
	return 0;
}
