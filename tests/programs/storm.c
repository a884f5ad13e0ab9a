// Starts processes in every way there is and writes down the truth about each: a line
//   pid <TAB> parent <TAB> exit status or empty <TAB> signal or empty <TAB> successful execs <TAB> last argv, joined by blanks
// storm root COUNT LOG        storm leaf HOW [WORD...]
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char self[4096];
static FILE *log_file;
static char root_args[8192];

static const char *hostile(int i)
{
	static const char *const words[] = {"<script>alert(1)</script>", "\"quoted\" 'words'", "two\nlines", "bell\a tab\tend", "=1+1", "bad\xff\xfeutf8", "-x", "&amp;]]>", "\\N\\l", ""};
	return words[(unsigned)i % (sizeof words / sizeof *words)];
}
static void joined(char *out, size_t size, char *const argv[])
{
	out[0] = 0;
	for (int i = 0; argv[i]; i++) {
		if (i)
			strncat(out, " ", size - strlen(out) - 1);
		strncat(out, argv[i], size - strlen(out) - 1);
	}
}
static void told(pid_t pid, pid_t parent, int status, int execs, const char *args)
{
	fprintf(log_file, "%d\t%d\t", pid, parent);
	if (WIFSIGNALED(status))
		fprintf(log_file, "\t%d", WTERMSIG(status));
	else
		fprintf(log_file, "%d\t", WEXITSTATUS(status));
	fprintf(log_file, "\t%d\t", execs);
	for (; *args; args++)	// a line a process: newlines and tabs travel as escapes
		if (*args == '\n')
			fputs("\\n", log_file);
		else if (*args == '\t')
			fputs("\\t", log_file);
		else if (*args == '\\')
			fputs("\\\\", log_file);
		else
			fputc(*args, log_file);
	fputc('\n', log_file);
}
static int waited(pid_t pid)
{
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
static void *fork_and_wait(void *out)
{
	pid_t *pid = out;
	*pid = fork();
	if (*pid == 0) {
		char *const argv[] = {self, "leaf", "again", "from-thread", 0};
		execv(self, argv);
		_exit(99);
	}
	return 0;
}
static void one(int i)
{
	char number[16], args[8192];
	snprintf(number, sizeof number, "%d", i);
	int status, fds[2];
	pid_t pid, grandchild = 0;
	switch (i % 9) {
	case 0:			// lives for microseconds
		if ((pid = fork()) == 0)
			_exit(0);
		status = waited(pid);
		told(pid, getpid(), status, 0, root_args);
		break;
	case 1: {		// a status of its own
		char *const argv[] = {self, "leaf", "exit7", number, 0};
		if ((pid = fork()) == 0) {
			execv(self, argv);
			_exit(99);
		}
		joined(args, sizeof args, argv);
		status = waited(pid);
		told(pid, getpid(), status, 1, args);
		break;
	}
	case 2: {		// vfork, and arguments nobody should have
		char *const argv[] = {self, "leaf", "exit0", (char *)hostile(i / 9), number, 0};
		if ((pid = vfork()) == 0) {
			execv(self, argv);
			_exit(99);
		}
		joined(args, sizeof args, argv);
		status = waited(pid);
		told(pid, getpid(), status, 1, args);
		break;
	}
	case 3: {		// forked by a thread; execs twice
		pthread_t thread;
		pthread_create(&thread, 0, fork_and_wait, &pid);
		pthread_join(thread, 0);
		char *const argv[] = {self, "leaf", "exit0", "from-thread", 0};
		joined(args, sizeof args, argv);
		status = waited(pid);
		told(pid, getpid(), status, 2, args);
		break;
	}
	case 4:			// fails to exec
		if ((pid = fork()) == 0) {
			char *const argv[] = {"/nonexistent/program", "x", 0};
			execv(argv[0], argv);
			_exit(127);
		}
		status = waited(pid);
		told(pid, getpid(), status, 0, root_args);
		break;
	case 5:			// is killed
		if ((pid = fork()) == 0)
			for (;;)
				pause();
		kill(pid, SIGKILL);
		status = waited(pid);
		told(pid, getpid(), status, 0, root_args);
		break;
	case 6: {		// outlives its parent
		if (pipe(fds))
			abort();
		char *const argv[] = {self, "leaf", "exit3", number, 0};
		if ((pid = fork()) == 0) {
			pid_t middle = getpid();
			grandchild = fork();
			if (grandchild == 0) {
				while (getppid() == middle)
					usleep(100);
				execv(self, argv);
				_exit(99);
			}
			if (write(fds[1], &grandchild, sizeof grandchild) < 0)
				abort();
			_exit(0);
		}
		if (read(fds[0], &grandchild, sizeof grandchild) != sizeof grandchild)
			abort();
		close(fds[0]);
		close(fds[1]);
		status = waited(pid);
		told(pid, getpid(), status, 0, root_args);
		joined(args, sizeof args, argv);
		status = waited(grandchild);
		told(grandchild, pid, status, 1, args);
		break;
	}
	case 7: {		// posix_spawn
		char *const argv[] = {self, "leaf", "exit0", "spawned", number, 0};
		posix_spawn(&pid, self, 0, 0, argv, environ);
		joined(args, sizeof args, argv);
		status = waited(pid);
		told(pid, getpid(), status, 1, args);
		break;
	}
	case 8:			// crashes
		if ((pid = fork()) == 0) {
			signal(SIGSEGV, SIG_DFL);
			raise(SIGSEGV);
		}
		status = waited(pid);
		told(pid, getpid(), status, 0, root_args);
		break;
	}
}
int main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return 98;
	self[n] = 0;
	if (argc >= 3 && !strcmp(argv[1], "leaf")) {
		if (!strcmp(argv[2], "again")) {
			char *const next[] = {self, "leaf", "exit0", argv[3], 0};
			execv(self, next);
			return 98;
		}
		return atoi(argv[2] + 4);
	}
	if (argc != 4 || strcmp(argv[1], "root"))
		return 98;
	joined(root_args, sizeof root_args, argv);
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	log_file = fopen(argv[3], "we");
	if (!log_file)
		return 98;
	setvbuf(log_file, 0, _IOFBF, 1 << 22);	// children must not flush it: they leave by _exit or exec
	for (int i = 0; i < atoi(argv[2]); i++)
		one(i);
	fclose(log_file);
	return 0;
}
