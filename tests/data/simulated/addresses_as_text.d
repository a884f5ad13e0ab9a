/* IPv4 and IPv6 addresses as text; whose descendant a process is; the parts of a device number. */
#pragma D option quiet

unsigned char *byte;

BEGIN
{
	this->four = (ipaddr_t *)alloca(sizeof(ipaddr_t));
	*this->four = htonl(0xc0a80117);
	printf("%s %s\n", inet_ntoa(this->four), inet_ntop(AF_INET, this->four));
	byte = (unsigned char *)alloca(16);
	printf("%s", inet_ntop(AF_INET6, byte));
	byte[15] = 1;
	printf(" %s", inet_ntop(AF_INET6, byte));
	byte[0] = 0x20;
	byte[1] = 0x01;
	printf(" %s", inet_ntop(AF_INET6, byte));
	byte[4] = 9;
	printf(" %s", inet_ntop(AF_INET6, byte));
	byte[15] = 0;
	printf(" %s\n", inet_ntop(AF_INET6, byte));
}

BEGIN
{
	byte = (unsigned char *)alloca(16);
	byte[10] = 0xff;
	byte[11] = 0xff;
	byte[12] = 127;
	byte[15] = 1;
	printf("%s\n", inet_ntop(AF_INET6, byte));
	printf("%d %d\n", getmajor(0x800005), getminor(0x800005));
}
@@expect
192.168.1.23 192.168.1.23
:: ::1 2001::1 2001:0:900::1 2001:0:900::
::ffff:127.0.0.1
8 5

