// Writes of known sizes to /dev/null: SIZE COUNT pairs. known_writes 100 3 4096 10
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static char data[1 << 20];
	int fd = open("/dev/null", O_WRONLY);
	for (int i = 1; i + 1 < argc; i += 2)
		for (int n = atoi(argv[i + 1]); n > 0; n--)
			if (write(fd, data, (size_t)atol(argv[i])) < 0)
				return 1;
	return 0;
}
