/*
 * Traffic of its own network namespace, over loopback: connections and datagrams of IPv4 and IPv6. Says what it did and
 * what the kernel counted, NAME VALUE a line. known_packets SECONDS: and stays for that long.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
} nowhere;

static union address loopback(int family, int port)
{
	union address a = nowhere;
	a.any.sa_family = (sa_family_t)family;
	if (family == AF_INET) {
		a.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a.four.sin_port = htons((uint16_t)port);
	} else {
		a.six.sin6_addr = in6addr_loopback;
		a.six.sin6_port = htons((uint16_t)port);
	}
	return a;
}
static socklen_t size(int family)
{
	return family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}
static int port(int fd, int family)
{
	union address a;
	socklen_t n = sizeof a;
	getsockname(fd, &a.any, &n);
	return ntohs(family == AF_INET ? a.four.sin_port : a.six.sin6_port);
}
static int bound(int family, int type)
{
	int fd = socket(family, type, 0);
	union address a = loopback(family, 0);
	if (fd < 0 || bind(fd, &a.any, size(family)) != 0)
		perror("bind");
	return fd;
}

/* A message there and another back; the client closes first. Then a connection that is refused. The listener may be of IPv6
   and take what IPv4 brings. */
static void tcp(int family, int listens, int six)
{
	char buffer[512] = {0};
	int listener = listens == family ? bound(family, SOCK_STREAM) : socket(listens, SOCK_STREAM, 0);
	int client = socket(family, SOCK_STREAM, 0);
	if (listens != family) {
		union address any = {.six = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any}};
		if (bind(listener, &any.any, sizeof any.six) != 0)
			perror("bind");
	}
	union address a = loopback(family, port(listener, listens));
	listen(listener, 4);
	if (connect(client, &a.any, size(family)) != 0)
		perror("connect");
	int server = accept(listener, NULL, NULL);
	printf("tcp%d.server %d\ntcp%d.client %d\n", six, port(listener, listens), six, port(client, family));
	send(client, buffer, 100, 0);
	recv(server, buffer, sizeof buffer, 0);
	send(server, buffer, 300, 0);
	recv(client, buffer, sizeof buffer, 0);
	close(client);
	recv(server, buffer, sizeof buffer, 0);
	close(server);

	int closed = port(listener, listens);
	close(listener);
	int late = socket(family, SOCK_STREAM, 0);
	a = loopback(family, closed);
	if (connect(late, &a.any, size(family)) == 0 || errno != ECONNREFUSED)
		printf("not refused\n");
	close(late);
}
static void udp(int family, int six)
{
	char buffer[2000] = {0};
	int server = bound(family, SOCK_DGRAM), client = bound(family, SOCK_DGRAM);
	union address a = loopback(family, port(server, family));
	printf("udp%d.server %d\nudp%d.client %d\n", six, port(server, family), six, port(client, family));
	for (int i = 1; i <= 10; ++i) {
		sendto(client, buffer, (size_t)(100 * i), 0, &a.any, size(family));
		recv(server, buffer, sizeof buffer, 0);
	}
	close(server);
	close(client);
}
/* The lines of a table of the kernel that come in pairs: names, values. */
static void counters(const char *path, const char *protocol)
{
	char names[4096], values[4096];
	FILE *file = fopen(path, "r");
	while (file && fgets(names, sizeof names, file) && fgets(values, sizeof values, file)) {
		char *n, *v, *name = strtok_r(names, " \n", &n), *value = strtok_r(values, " \n", &v);
		if (strncmp(name, protocol, strlen(protocol)) != 0 || name[strlen(protocol)] != ':')
			continue;
		while ((name = strtok_r(NULL, " \n", &n)) && (value = strtok_r(NULL, " \n", &v)))
			printf("%s.%s %s\n", protocol, name, value);
	}
	if (file)
		fclose(file);
}
static void counters6(void)
{
	char name[256];
	unsigned long long value;
	FILE *file = fopen("/proc/self/net/snmp6", "r");
	while (file && fscanf(file, "%255s %llu", name, &value) == 2)
		printf("%s %llu\n", name, value);
	if (file)
		fclose(file);
}
int main(int argc, char **argv)
{
	struct ifreq up = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	struct stat namespace;
	if (unshare(CLONE_NEWNET) != 0 || ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, &up) != 0) {
		perror("network namespace");
		return 1;
	}
	stat("/proc/self/ns/net", &namespace);
	printf("namespace %lu\n", (unsigned long)namespace.st_ino);
	tcp(AF_INET, AF_INET, 4);
	tcp(AF_INET6, AF_INET6, 6);
	tcp(AF_INET, AF_INET6, 46);
	udp(AF_INET, 4);
	udp(AF_INET6, 6);
	counters("/proc/self/net/snmp", "Ip");
	counters("/proc/self/net/snmp", "Tcp");
	counters("/proc/self/net/snmp", "Udp");
	counters6();
	fflush(stdout);
	if (argc > 1)
		sleep((unsigned)atoi(argv[1]));
	return 0;
}
