/* What the proc provider's arguments and curpsinfo, curlwpsinfo look like. Members as in proc(5) of Solaris. */

typedef struct timestruc {
	time_t tv_sec;
	long tv_nsec;
} timestruc_t;

translator timestruc_t < uint64_t N > {
	tv_sec = (time_t)(N / 1000000000);
	tv_nsec = (long)(N % 1000000000);
};

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	dev_t pr_ttydev;
	timestruc_t pr_start;
	string pr_fname;
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	int pr_nzomb;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	ctid_t pr_contract;
} psinfo_t;

/* What pr_dmodel may be. Source: <sys/procfs.h> of Solaris. */
inline char PR_MODEL_UNKNOWN = 0;
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

/* The stack of a new image begins with argc, argv[0] ... NULL, envp[0] ... NULL. Only the current process's can be read. */
inline int proc_argc[struct task_struct *T] = T->tgid == curthread->tgid && T->mm != NULL ? *(userland int *)T->mm->start_stack : 0;

/* A process's, group's or session's number: in a container the one that it has where it lives, which is the deepest of those it
   has. Source: include/linux/pid.h */
inline pid_t proc_number[struct pid *P] = P->numbers[numbered_apart ? P->level : 0].nr;

/* Another process's memory can't be read from here: only the current process and the child it just forked, whose arguments are
   a copy, have their argument list. Of others it is not known, as in DTrace for Linux; what has no memory is named. */
translator psinfo_t < struct task_struct *T > {
	pr_flag = (int)T->flags;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = numbered_apart ? proc_number[T->signal->pids[1]] : T->tgid;
	pr_ppid = numbered_apart ? proc_number[T->real_parent->signal->pids[1]] : T->real_parent->tgid;
	pr_pgid = proc_number[T->signal->pids[2]];
	pr_sid = proc_number[T->signal->pids[3]];
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_ttydev = T->signal->tty == NULL ? (dev_t)-1
	    : (dev_t)((T->signal->tty->driver->major << 20) | (T->signal->tty->driver->minor_start + T->signal->tty->index));
	pr_start = xlate <timestruc_t> ((uint64_t)(walltimestamp - timestamp + T->group_leader->start_time));
	pr_fname = stringof(T->comm);
	pr_psargs = (T->tgid == curthread->tgid || T->real_parent->tgid == curthread->tgid) ? execargs
	    : T->mm != NULL ? "<unknown>" : stringof(T->comm);
	pr_wstat = T->exit_code;
	pr_argc = proc_argc[T];
	pr_argv = T->mm != NULL ? (uintptr_t)T->mm->start_stack + 8 : 0;
	pr_envp = T->tgid == curthread->tgid && T->mm != NULL ? (uintptr_t)T->mm->start_stack + 8 * (proc_argc[T] + 2) : 0;
	pr_dmodel = (T->thread_info.flags & narrow_program) != 0 ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0; /* Linux has no tasks, projects, pools, contracts and zones: all is in the first one */
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
};

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan; /* not translated: Linux keeps no address that a thread waits at */
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	int pr_pri;
	timestruc_t pr_start;
	timestruc_t pr_time;
	string pr_clname;
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
} lwpsinfo_t;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;

/* TASK_INTERRUPTIBLE and UNINTERRUPTIBLE sleep; __TASK_STOPPED, __TASK_TRACED are stopped. */
inline char lwp_state[struct task_struct *T] = T->exit_state != 0 ? SZOMB : (T->__state & 0xc) != 0 ? SSTOP
    : (T->__state & 0x3) != 0 ? SSLEEP : T->on_cpu != 0 ? SONPROC : SRUN;

/* Bits of a thread's pr_flag that Linux knows: it is stopped, it sleeps, it is the kernel's own, it is a CPU's idle thread. */
inline int PR_STOPPED = 0x1;
inline int PR_ASLEEP = 0x10;
inline int PR_ISSYS = 0x1000;
inline int PR_IDLE = 0x10000000;

/* The system call that a thread is in, or -1: what it entered the kernel with lies at the end of its stack, which is 16 KiB; a
   thread of the kernel's own (PF_KTHREAD) never entered. Source: task_pt_regs() in each processor's asm/processor.h. */
inline int lwp_syscall[struct task_struct *T] = (T->flags & 0x200000) != 0 ? -1
    : *(int *)((uintptr_t)T->stack + 16384 - sizeof (struct pt_regs) + call_number_at);

/* What pr_stype may be. Source: <sys/sobject.h> of Solaris. */
inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

/* A thread that sleeps in futex(2) waits for another program's or thread's object, as those of Solaris' lwp_mutex, lwp_cond and
   lwp_sema do. What one sleeps on within the kernel Linux does not tell: that is none of the above, and not SOBJ_NONE either. */
inline char lwp_sobject[struct task_struct *T] = lwp_state[T] != SSLEEP ? SOBJ_NONE
    : lwp_syscall[T] != call_of_futex ? -1 : T->pi_blocked_on != NULL ? SOBJ_USER_PI : SOBJ_USER;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (T->pid == 0 ? PR_IDLE : 0) | ((T->flags & 0x200000) != 0 ? PR_ISSYS : 0) | ((T->__state & 3) != 0 ? PR_ASLEEP : 0)
	    | ((T->__state & 0xc) != 0 ? PR_STOPPED : 0);
	pr_lwpid = numbered_apart ? proc_number[T->thread_pid] : T->pid;
	pr_addr = (uintptr_t)T;
	pr_stype = lwp_sobject[T];
	pr_state = lwp_state[T];
	pr_sname = lwp_state[T] == SZOMB ? 'Z' : lwp_state[T] == SSTOP ? 'T' : lwp_state[T] == SSLEEP ? 'S'
	    : lwp_state[T] == SONPROC ? 'O' : 'R';
	pr_nice = (char)(T->static_prio - 120);
	pr_syscall = (short)lwp_syscall[T];
	pr_pri = T->prio;
	pr_start = xlate <timestruc_t> ((uint64_t)(walltimestamp - timestamp + T->start_time));
	pr_time = xlate <timestruc_t> ((uint64_t)T->se.sum_exec_runtime);
	pr_name = T->comm;
	pr_onpro = (int)T->thread_info.cpu;
	pr_bindpro = -1;
	pr_bindpset = -1;
	/* The scheduling class, as ps(1) names what SCHED_NORMAL and its kin are. */
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" : T->policy == 3 ? "B"
	    : T->policy == 5 ? "IDL" : T->policy == 6 ? "DLN" : T->policy == 7 ? "EXT" : "?";
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
