beads$target::phase:phase-change { printf("%s after %s\n", copyinstr(arg0), copyinstr(arg1)); }
beads$target:::sub-entry, beads$target:::sub-return { printf("%s %s %s:%d\n", probename, copyinstr(arg0), copyinstr(arg1), args[2]); }
