/* What fsinfo probes tell of a file. Of a call that is given a descriptor it is the open file; of one that is given a name it is
   that name, completed by the folder that it is looked up from: it need not exist (any more). */

#pragma D depends_on library io.d

this struct file *fsinfo_file;
this struct path *fsinfo_from;
this uintptr_t fsinfo_name;	/* in the memory of the process; 0: there is none */

inline string fsinfo_given = copyinstr(this->fsinfo_name);
inline string fsinfo_path = fsinfo_given[0] == '/' || this->fsinfo_from == NULL ? fsinfo_given
    : fsinfo_given == "" ? d_path(this->fsinfo_from)
    : strjoin(d_path(this->fsinfo_from), strjoin("/", fsinfo_given));
inline fileinfo_t fsinfo_open = xlate <fileinfo_t> (this->fsinfo_file);

/* The pointer is that to the registers of the call. */
translator fileinfo_t < struct dscope_call *C > {
	fi_name = this->fsinfo_name ? basename(fsinfo_path) : fsinfo_open.fi_name;
	fi_dirname = this->fsinfo_name ? dirname(fsinfo_path) : fsinfo_open.fi_dirname;
	fi_pathname = this->fsinfo_name ? fsinfo_path : fsinfo_open.fi_pathname;
	fi_offset = this->fsinfo_name ? -1 : fsinfo_open.fi_offset;
	fi_fs = this->fsinfo_name ? "<unknown>" : fsinfo_open.fi_fs;
	fi_mount = this->fsinfo_name ? "<unknown>" : fsinfo_open.fi_mount;
	fi_oflags = this->fsinfo_name ? 0 : fsinfo_open.fi_oflags;
};
