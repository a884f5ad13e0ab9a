pages$target:::request-startup { printf("%s %s %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2)); }
pages$target:::compile-file-entry { printf("compile %s\n", copyinstr(arg1)); }
pages$target:::function-entry { printf("%s:%d %s%s\n", copyinstr(arg0), args[2], copyinstr(arg3), copyinstr(arg4)); }
pages$target:::error { printf("error %s %d\n", copyinstr(arg0), args[2]); }
pages$target:::exception-thrown { printf("thrown %s\n", copyinstr(arg0)); }
