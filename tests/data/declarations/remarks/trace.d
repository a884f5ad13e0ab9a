host$target:::poll_add { printf("add %d %d %d\n", args[0], args[1], args[2]); }
host$target:::poll_run { printf("run %d %d\n", args[0], args[1]); }
host$target:::object_new { printf("new %s\n", copyinstr(arg1)); }
host$target:::socket_new { printf("socket %d %d %s\n", args[2], args[3], copyinstr(arg4)); }
host$target:::context_new { printf("context %s %s %d%d%d\n", copyinstr(arg1), copyinstr(arg4), args[5], args[6], args[7]); }
