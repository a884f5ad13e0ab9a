// given_calls FILE: makes the calls that the file's lines name, which all fail with EBADF:
// "lseek OFFSET WHENCE" is lseek(999, OFFSET, WHENCE), "write TEXT" is write(998, TEXT, its length).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char** argv)
{
    FILE* file = fopen(argc > 1 ? argv[1] : "", "r");
    char line[1024];
    if (!file) return 1;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char* end = line;
        if (strncmp(line, "lseek ", 6) == 0) {
            const unsigned long long offset = strtoull(line + 6, &end, 10);
            syscall(SYS_lseek, 999UL, offset, strtoull(end, NULL, 10));
        } else if (strncmp(line, "write ", 6) == 0) {
            syscall(SYS_write, 998UL, line + 6, strlen(line + 6));
        }
    }
    return 0;
}
