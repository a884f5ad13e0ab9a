/*
 * Which program did something that the processor does not allow, and where?
 *
 *   dscope -s examples/crashes.d
 */
#pragma D option quiet

proc:::fault
{
	printf("%s (%d): %s at 0x%x\n", execname, pid, args[0] == 6 ? "no memory there" : args[0] == 8 ? "divided by zero" :
	    args[0] == 1 ? "no such instruction" : "other fault", (uint64_t)args[1]->_sifields._sigfault._addr);
}
