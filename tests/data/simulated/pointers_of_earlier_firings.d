/* A pointer into what copyin() gave, into a string or into a clause-local variable leads nowhere in another firing: neither in a clause of
   the same probe nor of another, on the same CPU or elsewhere, whatever it is kept in. Where the firing itself was given memory at that very
   place, it is this memory: twice below. */
#pragma D option quiet

char *given, *text;
uintptr_t number;
this int64_t local[4];
int64_t *ofLocal;

syscall::write:entry
/execname == "secret"/
{
	given = (char *)copyin(arg1, 29);
	self->given = given;
	each[pid] = given;
	number = (uintptr_t)copyin(arg1, 29);
	text = (char *)copyinstr(arg1);
	this->local[1] = 0x7077;
	ofLocal = &this->local[1];
	printf("%s %s %x\n", stringof(given), stringof((char *)number), *ofLocal);
}

syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	printf("[%s]\n", stringof(given));
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	this->before = copyin(0x2000, 4);
	printf("[%c]\n", given[2]);
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	tracemem(given, 16);
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	@[stringof(given)] = count();
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	this->d = alloca(8);
	bcopy(given, this->d, 8);
	tracemem(this->d, 8);
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	printf("[%s]\n", inet_ntoa((ipaddr_t *)given));
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	seen[stringof(each[5])] = 1;
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	printf("[%s]\n", stringof((char *)number));
}
syscall::write:entry, syscall::write:return
/execname != "secret"/
{
	printf("[%s]\n", stringof(text));
}
syscall::write:return
/execname != "secret"/
{
	printf("[%x]\n", *ofLocal);
}
syscall::write:return
/execname == "secret"/
{
	printf("[%s]\n", stringof(self->given));
}

ERROR
{
	@faults = count();
}
@@memory user 0x1000 "password-of-somebody-else-0123"
@@memory user 0x2000 "hi there you"
@@fire syscall::write:entry execname=secret arg1=0x1000 pid=5
@@fire syscall::write:return execname=secret pid=5
@@fire syscall::write:entry execname=cat arg1=0x2000 pid=7
@@fire syscall::write:return execname=cat pid=7
@@fire syscall::write:entry execname=cat arg1=0x2000 pid=7 cpu=1
@@fire syscall::write:return execname=cat pid=7 cpu=1
@@expect
password-of-somebody-else-012 password-of-somebody-else-012 7077
[ ]

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00 00 00 00 00 00                          ........

               37
