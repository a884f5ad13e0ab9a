/*
 * chatty_client LETTERS: sends a text to a server of its own (over loopback) a letter at a time, each a packet of its own.
 * The cause to find: sendLetter() makes a system call for each byte.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((noinline)) static int sendLetter(int server, char letter)
{
	ssize_t sent = send(server, &letter, 1, 0);
	__asm__ volatile("" ::: "memory");
	return sent == 1 ? 0 : -1;
}

__attribute__((noinline)) static int sendText(int server, int letters)
{
	for (int i = 0; i < letters; i++)
		if (sendLetter(server, (char)('a' + i % 26)))
			return -1;
	return 0;
}

static int listenHere(struct sockaddr_in* where)
{
	socklen_t size = sizeof *where;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	memset(where, 0, sizeof *where);
	where->sin_family = AF_INET;
	where->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (struct sockaddr*)where, size) || listen(listener, 1))
		return -1;
	return getsockname(listener, (struct sockaddr*)where, &size) ? -1 : listener;
}

int main(int argc, char** argv)
{
	struct sockaddr_in where;
	int listener = argc < 2 ? -1 : listenHere(&where);
	if (listener < 0)
		return 2;
	pid_t reader = fork();
	if (reader == 0) {
		char some[4096];
		int client = accept(listener, NULL, NULL);
		while (client >= 0 && read(client, some, sizeof some) > 0)
			;
		_exit(0);
	}

	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
	if (server < 0 || connect(server, (struct sockaddr*)&where, sizeof where))
		return 1;
	setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return sendText(server, atoi(argv[1])) != 0;
}
