slither$target:::import-find-load-done { printf("import %s %d\n", copyinstr(arg0), args[1]); }
slither$target:::function-entry { printf("%s %s:%d\n", copyinstr(arg1), copyinstr(arg0), args[2]); }
slither$target:::line { printf("%d\n", args[2]); }
slither$target:::audit { printf("audit %s %d\n", copyinstr(arg0), args[1] == NULL); }
slither$target:::gc-start { printf("gc %d\n", args[0]); }
slither$target:::gc-done { printf("gc done %d\n", args[0]); }
