/* A CPU by its number, for the arguments of sched, sysinfo and vminfo. The type, and curcpu, are of the base library; what
   curcpu points to stands in an array of all CPUs. */
translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = (curcpu + (C - (int)cpu))->cpu_pset;
	cpu_chip = (curcpu + (C - (int)cpu))->cpu_chip;
	cpu_lgrp = (curcpu + (C - (int)cpu))->cpu_lgrp;
};
