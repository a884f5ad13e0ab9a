machine$target:::machine_memalign { printf("%d %d\n", args[0], args[1]); }
machine$target:::visit_bool { printf("%s\n", copyinstr(arg1)); }
machine$target:::event_queue { printf("%u %u\n", args[0], args[2]); }
machine$target:::answer { printf("%d %d %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5], args[6]); }
machine$target:::blk_attach { printf("attached\n"); }
