/* uregs[]: what the thread had in its registers in user space. */
#pragma D option quiet

profile:::tick-1s
{
	printf("%x %x %d %d\n", uregs[R_PC], uregs[17], R_SP, R_EAX);
	printf("%d %d %d\n", curcpu->cpu_id, cpu, curcpu->cpu_pset);
	printf("%s\n", zonename);
}
@@fire profile:::tick-1s ip=0x401000 cs=0x33 cpu=0
@@expect
401000 33 19 10
0 0 0
global

