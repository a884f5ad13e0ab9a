/* What copyin() and alloca() gave ends where it ends: no bytes of an earlier firing, which may be another process's, come behind it. */
#pragma D option quiet

syscall::write:entry
/execname == "secret"/
{
	this->p = (char *)copyin(arg1, 29);
	printf("%s\n", stringof(this->p));
}

syscall::write:entry
/execname != "secret"/
{
	printf("[%s]\n", stringof(copyin(arg1, 2)));
	printf("[%s]\n", stringof(copyin(arg1, 8)));
	this->a = (char *)copyin(arg1, 8);
	this->b = (char *)copyin(arg1, 3);
	printf("[%s] [%s]\n", stringof(this->a), stringof(this->b));
	this->c = alloca(4);
	bcopy("xy", this->c, 4);
	printf("[%s]\n", stringof(this->c));
	this->d = alloca(3);
	copyinto(arg1, 3, this->d);
	printf("[%s]\n", stringof(this->d));
	@[stringof(copyin(arg1, 2))] = count();
	tracemem(copyin(arg1, 2), 16);
	this->e = alloca(40);
	bcopy(execname, this->e, 40);
	tracemem(this->e, 40);
}

syscall::write:entry
/execname != "secret"/
{
	printf("[%s]\n", stringof(copyin(arg1, 0)));
	printf("[%s] [%d]\n", execname + 100, execname[100]);
}

syscall::write:entry
/execname != "secret"/
{
	this->p = (char *)copyin(arg1, 2);
	printf("[%s]\n", stringof(this->p + 5));
}

syscall::write:entry
/execname != "secret"/
{
	this->q = (char *)copyin(arg1, 2);
	printf("[%s]\n", stringof(this->q + 40));
}

ERROR
{
	printf("fault %d\n", arg4);
}
@@memory user 0x1000 "password-of-somebody-else-0123"
@@memory user 0x2000 "hi there you"
@@fire syscall::write:entry execname=secret arg1=0x1000
@@fire syscall::write:entry execname=cat arg1=0x2000
@@expect
password-of-somebody-else-012
[hi]
[hi there]
[hi there] [hi ]
[xy]
[hi ]

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 68 69 00 00 00 00 00 00 00 00 00 00 00 00 00 00  hi..............

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 63 61 74 00 00 00 00 00 00 00 00 00 00 00 00 00  cat.............
        10: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
        20: 00 00 00 00 00 00 00 00                          ........
[]
[] [0]
[]
fault 1

  hi                                                                1
