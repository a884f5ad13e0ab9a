/* What the sched provider's arguments and curcpu look like. Members as in the Solaris guide's chapter on sched. */

typedef int processorid_t;
typedef int psetid_t;
typedef int chipid_t;
typedef long lgrp_id_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
} cpuinfo_t;

/* Linux has no processor sets: all CPUs are in set 0. */
translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> ((int)cpu);
