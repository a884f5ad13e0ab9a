// file_calls FOLDER: goes there and asks its file system for one of each; says what, of which file, and how much.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *folder;
static char said[16384];
static long must(long result)
{
	if (result < 0) {
		perror("file_calls");
		exit(1);
	}
	return result;
}
static void say(const char *what, const char *file, long much)
{
	size_t at = strlen(said);
	snprintf(said + at, sizeof said - at, "%s %s%s%s %ld\n", what, folder, *file ? "/" : "", file, much);
}

int main(int argc, char **argv)
{
	char text[64];
	struct stat status;
	if (argc < 2 || chdir(argv[1]) != 0) return 2;
	folder = argv[1];

	must(mkdir("made", 0700)), say("mkdir", "made", 0);
	int inside = must(open("made", O_RDONLY | O_DIRECTORY));
	say("open", "made", 0);
	int file = must(openat(inside, "file", O_RDWR | O_CREAT, 0600));
	say("open", "made/file", 0), say("create", "made/file", 0);
	say("write", "made/file", must(write(file, "1234567", 7)));
	say("write", "made/file", must(pwrite(file, "89", 2, 7)));
	say("read", "made/file", must(pread(file, text, sizeof text, 0)));
	say("seek", "made/file", must(lseek(file, 5, SEEK_SET)));
	must(fsync(file)), say("fsync", "made/file", 0);
	must(ftruncate(file, 5000)), say("space", "made/file", 5000);
	must(flock(file, LOCK_EX)), say("frlock", "made/file", 0);
	must(fcntl(file, F_SETFL, O_APPEND)), say("setfl", "made/file", 0);
	must(fchmod(file, 0640)), say("setattr", "made/file", 0);
	void *memory = mmap(0, 5000, PROT_READ, MAP_SHARED, file, 0);
	say("map", "made/file", memory == MAP_FAILED ? -1 : 5000);
	must(close(file)), say("close", "made/file", 0);
	must(fstatat(inside, "file", &status, 0)), say("getattr", "made/file", 0);
	must(stat("made", &status)), say("getattr", "made", 0);
	must(chmod("made/file", 0600)), say("setattr", "made/file", 0);
	must(access("made/file", R_OK)), say("access", "made/file", 0);
	must(symlinkat("file", inside, "link")), say("symlink", "made/link", 0);
	say("readlink", "made/link", must(readlinkat(inside, "link", text, sizeof text)));
	must(link("made/file", "another")), say("link", "made/file", 0);
	must(rename("another", "made/third")), say("rename", "another", 0);
	must(unlinkat(inside, "file", 0)), say("remove", "made/file", 0);
	must(unlink("made/link")), say("remove", "made/link", 0);
	must(unlink("made/third")), say("remove", "made/third", 0);
	must(close(inside)), say("close", "made", 0);
	must(rmdir("made")), say("rmdir", "made", 0);
	// What fails, and memory that is no file's, is of no file system.
	if (open("missing/file", O_RDONLY) >= 0 || close(-1) == 0) return 1;
	mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return fputs(said, stdout) < 0;
}
