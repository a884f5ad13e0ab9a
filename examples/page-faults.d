/*
 * Where does memory come from: pages of zeros, copies of shared ones, or a device that must be waited for?
 * Kernels for some processors do not tell of copies: those are left out there (zdefs).
 *
 *   dscope -s examples/page-faults.d -c 'make -j2'
 */
#pragma D option quiet
#pragma D option zdefs

vminfo:::zfod,
vminfo:::cow_fault,
vminfo:::maj_fault
/pid == $target || ppid == $target/
{
	@[execname, probename] = sum(arg0);
}
