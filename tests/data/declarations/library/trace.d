basis$target:::mem-alloc { self->memory = args[0]; printf("alloc %d %d %d\n", args[1], args[2], args[3]); }
basis$target:::quark-new { printf("%s %d\n", copyinstr(arg0), args[1]); }
basis$target:::main-after_prepare { printf("same %d, %d\n", args[0] == self->memory, args[2]); }
basis$target:::timeout-add { printf("%d %d %d %d\n", args[2], args[3], args[4], args[6] == self->memory); }
basis$target:::source-new { printf("%u\n", args[5]); }
basis$target:::type-new { printf("%x %d\n", args[1], args[2]); }
objects$target:::signal-emit { printf("emit %d %d %d %d\n", args[0], args[1], args[2] == self->memory, args[3]); }
