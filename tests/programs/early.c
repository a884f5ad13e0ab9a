// Says "built" in a constructor and "main" in main(), each in a write(2) of its own.
#include <unistd.h>
__attribute__((constructor)) static void build(void)
{
	if (write(1, "built\n", 6) != 6) _exit(1);
}
int main(void)
{
	return write(1, "main\n", 5) != 5;
}
