/* What the io provider's arguments and fds[] look like. Members as in io(4DTRACE) of Solaris and illumos. */

inline int O_RDONLY = 0x0;
inline int O_WRONLY = 0x1;
inline int O_RDWR = 0x2;
inline int O_ACCMODE = 0x3;
inline int O_CREAT = 0x40;
inline int O_EXCL = 0x80;
inline int O_NOCTTY = 0x100;
inline int O_TRUNC = 0x200;
inline int O_APPEND = 0x400;
inline int O_NONBLOCK = 0x800;
inline int O_NDELAY = 0x800;
inline int O_DSYNC = 0x1000;
inline int O_DIRECT = 0x4000;
inline int O_LARGEFILE = 0x8000;
inline int O_DIRECTORY = 0x10000;
inline int O_NOFOLLOW = 0x20000;
inline int O_CLOEXEC = 0x80000;
inline int O_SYNC = 0x101000;
inline int O_RSYNC = 0x101000;

inline int B_BUSY = 0x1;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;
inline int B_PHYS = 0x20;
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;

/* What io.cpp notes of a request when it is made: by the time that it is done the kernel has used up most of it. By the
   address of the struct bio; the address of a thread + 1 is the copy of the one that it waits for. */
struct dscope_io {
	uintptr_t thread;	/* who made it */
	uintptr_t waited;	/* of a copy: the address of the struct bio */
	uintptr_t device;	/* struct device *, of the disk or partition that it is made to */
	uintptr_t disk;		/* that of the disk */
	uint64_t sector;
	uint64_t bytes;
	uint64_t resid;
	uintptr_t page;
	uintptr_t folio;
	uintptr_t mapping;
	uintptr_t inode;	/* 0: no file */
	uintptr_t file;
	uint64_t alias;		/* where a struct dentry has its place in the list of its inode's names */
	int64_t offset;
	uintptr_t iodone;
	uint32_t flags;
	uint32_t status;	/* blk_status_t, or 1000 and an errno */
};
this struct dscope_io dscope_new;
this uintptr_t dscope_ended;	/* of those that a request of the disk was merged from, the one at hand */
this uintptr_t dscope_next;
this uint64_t dscope_sum;	/* bytes of those so far */
this uintptr_t dscope_wait;	/* the copy of who made that one */
struct dscope_io dscope_io[uintptr_t];

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

/* Source of the errors: block/blk-core.c, blk_errors[]. */
translator bufinfo_t < struct bio *B > {
	b_flags = (int)(dscope_io[(uintptr_t)B].flags | (dscope_io[(uintptr_t)B].status ? B_ERROR : 0));
	b_bcount = dscope_io[(uintptr_t)B].bytes;
	b_addr = (caddr_t)dscope_io[(uintptr_t)B].page;
	b_lblkno = dscope_io[(uintptr_t)B].sector;
	b_blkno = dscope_io[(uintptr_t)B].sector;
	b_resid = dscope_io[(uintptr_t)B].resid;
	b_bufsize = dscope_io[(uintptr_t)B].bytes;
	b_iodone = (caddr_t)dscope_io[(uintptr_t)B].iodone;
	b_error = dscope_io[(uintptr_t)B].status == 0 ? 0
	    : dscope_io[(uintptr_t)B].status > 1000 ? (int)dscope_io[(uintptr_t)B].status - 1000
	    : dscope_io[(uintptr_t)B].status == 1 ? ENOTSUP
	    : dscope_io[(uintptr_t)B].status == 2 ? ETIMEDOUT
	    : dscope_io[(uintptr_t)B].status == 3 ? ENOSPC
	    : dscope_io[(uintptr_t)B].status == 4 ? ENOLINK
	    : dscope_io[(uintptr_t)B].status == 5 ? EREMOTEIO
	    : dscope_io[(uintptr_t)B].status == 6 ? EBADE
	    : dscope_io[(uintptr_t)B].status == 7 ? ENODATA
	    : dscope_io[(uintptr_t)B].status == 8 ? EILSEQ
	    : dscope_io[(uintptr_t)B].status == 9 ? ENOMEM
	    : dscope_io[(uintptr_t)B].status == 12 ? EAGAIN : EIO;
	b_edev = ((struct device *)dscope_io[(uintptr_t)B].device)->devt;
};

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

inline struct device *dscope_device[uintptr_t bio] = (struct device *)dscope_io[bio].device;
inline struct device *dscope_disk[uintptr_t bio] = (struct device *)dscope_io[bio].disk;
inline struct device *dscope_parent[uintptr_t bio] = dscope_disk[bio]->parent;

/* The driver of a disk is that of the device it hangs on, or (nvme) of the controller above; loop and its like hang on
   nothing and drive themselves. */
translator devinfo_t < struct bio *B > {
	dev_major = (int)(dscope_device[(uintptr_t)B]->devt >> 20);
	dev_minor = (int)(dscope_device[(uintptr_t)B]->devt & 0xfffff);
	dev_instance = 0;
	dev_name = dscope_parent[(uintptr_t)B] == NULL
	    ? (dscope_disk[(uintptr_t)B]->devt >> 20 == 7 ? "loop"
	        : stringof(dscope_disk[(uintptr_t)B]->kobj.name))
	    : dscope_parent[(uintptr_t)B]->driver != NULL
	        ? stringof(dscope_parent[(uintptr_t)B]->driver->name)
	    : dscope_parent[(uintptr_t)B]->parent != NULL && dscope_parent[(uintptr_t)B]->parent->driver != NULL
	        ? stringof(dscope_parent[(uintptr_t)B]->parent->driver->name)
	        : stringof(dscope_disk[(uintptr_t)B]->kobj.name);
	dev_statname = stringof(dscope_device[(uintptr_t)B]->kobj.name);
	dev_pathname = strjoin("/dev/", stringof(dscope_device[(uintptr_t)B]->kobj.name));
};

typedef int64_t offset_t;
typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	offset_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

inline struct inode *dscope_inode[uintptr_t bio] = (struct inode *)dscope_io[bio].inode;
/* Of a file's names, the first. */
inline uintptr_t dscope_alias[uintptr_t bio] = (uintptr_t)dscope_inode[bio]->i_dentry.first;
inline struct dentry *dscope_dentry[uintptr_t bio]
    = (struct dentry *)(dscope_alias[bio] - dscope_io[bio].alias);
inline uintptr_t dscope_on[uintptr_t bio] = dscope_mount((uintptr_t)dscope_inode[bio]->i_sb);

translator fileinfo_t < struct bio *B > {
	fi_name = dscope_io[(uintptr_t)B].inode == 0 ? "<none>"
	    : dscope_alias[(uintptr_t)B] == 0 ? "<unknown>"
	    : stringof(dscope_dentry[(uintptr_t)B]->d_name.name);
	fi_dirname = dscope_io[(uintptr_t)B].inode == 0 ? "<none>"
	    : dscope_alias[(uintptr_t)B] == 0 ? "<unknown>"
	    : dirname(dscope_path((uintptr_t)dscope_dentry[(uintptr_t)B], dscope_on[(uintptr_t)B]));
	fi_pathname = dscope_io[(uintptr_t)B].inode == 0 ? "<none>"
	    : dscope_alias[(uintptr_t)B] == 0 ? "<unknown>"
	    : dscope_path((uintptr_t)dscope_dentry[(uintptr_t)B], dscope_on[(uintptr_t)B]);
	fi_offset = dscope_io[(uintptr_t)B].inode == 0 ? -1 : dscope_io[(uintptr_t)B].offset;
	fi_fs = dscope_io[(uintptr_t)B].inode == 0 ? "<none>"
	    : stringof(dscope_inode[(uintptr_t)B]->i_sb->s_type->name);
	fi_mount = dscope_io[(uintptr_t)B].inode == 0 ? "<none>"
	    : dscope_on[(uintptr_t)B] == 0 ? "<unknown>"
	    : dscope_path((uintptr_t)((struct vfsmount *)dscope_on[(uintptr_t)B])->mnt_root, dscope_on[(uintptr_t)B]);
	fi_oflags = dscope_io[(uintptr_t)B].file == 0 ? 0
	    : (int)((struct file *)dscope_io[(uintptr_t)B].file)->f_flags;
};

/* A file by its struct file; NULL: there is none. Pipes, sockets and their like have no path name. */
inline int dscope_has_path[struct file *f]
    = f->f_path.dentry->d_op == NULL || f->f_path.dentry->d_op->d_dname == NULL;

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : dscope_has_path[F] ? stringof(F->f_path.dentry->d_name.name) : "<unknown>";
	fi_dirname = F == NULL ? "<none>" : dscope_has_path[F] ? dirname(d_path(&F->f_path)) : "<unknown>";
	fi_pathname = F == NULL ? "<none>" : dscope_has_path[F] ? d_path(&F->f_path) : "<unknown>";
	fi_offset = F == NULL ? -1 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : dscope_has_path[F]
	    ? dscope_path((uintptr_t)F->f_path.mnt->mnt_root, (uintptr_t)F->f_path.mnt) : "<unknown>";
	fi_oflags = F == NULL ? 0 : (int)F->f_flags;
};

inline struct file *dscope_file[int fd] = fd < 0 || curthread->files == NULL
    || (unsigned int)fd >= curthread->files->fdt->max_fds ? NULL : curthread->files->fdt->fd[fd];
inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (dscope_file[fd]);
