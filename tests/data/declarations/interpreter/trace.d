speech$target::call:method-entry { printf("%s#%s %s:%d\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2), args[3]); }
speech$target:::array-create { printf("array %d\n", args[0]); }
speech$target:::word { printf("word %s\n", stringof(args[0])); }
speech$target:::raise { printf("raise %s %d\n", copyinstr(arg0), args[2]); }
speech$target:::gc-mark-begin { printf("gc\n"); }
