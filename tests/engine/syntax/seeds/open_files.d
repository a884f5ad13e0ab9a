syscall::open*:entry {
    printf("%-20s %s\n", execname, copyinstr(arg1));
  }
