/* What the proc provider's arguments and curpsinfo, curlwpsinfo look like. Members as in proc(5) of Solaris. */

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
	string pr_fname;
	string pr_psargs;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
} psinfo_t;

/* Another process's memory can't be read from here: only the current process and the child it just forked,
   whose arguments are a copy, have their argument list; any other has its name. */
translator psinfo_t < struct task_struct *T > {
	pr_flag = (int)T->flags;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_fname = stringof(T->comm);
	pr_psargs = (T->tgid == curthread->tgid || T->real_parent->tgid == curthread->tgid) ? execargs : stringof(T->comm);
	pr_argv = (uintptr_t)T->mm->arg_start;
	pr_envp = (uintptr_t)T->mm->env_start;
	pr_dmodel = 2;
};

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	char pr_state;
	int pr_pri;
	char pr_nice;
	int pr_onpro;
	string pr_clname;
} lwpsinfo_t;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (int)T->flags;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_state = (char)T->__state;
	pr_pri = T->prio;
	pr_nice = (char)(T->static_prio - 120);
	pr_onpro = (int)T->thread_info.cpu;
	/* The scheduling class, as ps(1) names what SCHED_NORMAL and its kin are. */
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" : T->policy == 3 ? "B"
	    : T->policy == 5 ? "IDL" : T->policy == 6 ? "DLN" : T->policy == 7 ? "EXT" : "?";
};

/* What pr_dmodel may be. Source: <sys/procfs.h> of Solaris. */
inline char PR_MODEL_UNKNOWN = 0;
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
