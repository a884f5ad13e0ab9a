/*
 * Who opens which file?
 *
 *   dscope -s examples/open-files.d
 */
#pragma D option quiet

syscall::open*:entry
{
	printf("%-20s %s\n", execname, copyinstr(probefunc == "open" ? arg0 : arg1));
}
