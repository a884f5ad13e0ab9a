proc:::exec-success { trace(curpsinfo->pr_psargs); }
syscall::open*:entry { printf("%s %s",
    execname, copyinstr(arg1)); }
io:::start { printf("%d %s %d",
    pid, execname, args[0]->b_bcount); }
readch{@[execname] = quantize(arg0)}
xcalls{@[execname] = count()}
