larder$target:::deal-start { printf("deal %u\n", args[0]); }
larder$target:::shelf-wait-start { printf("wait %d %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5]); }
larder$target:::order-parse-start { printf("order %s\n", copyinstr(arg0)); }
larder$target:::order-plan-start { printf("plan\n"); }
larder$target:::sort-start { printf("sort %d %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5]); }
larder$target:::sort-done { printf("sorted %d %d\n", args[0], args[1]); }
larder$target:::tin-read-done { printf("tin %d %d %d\n", args[0], args[4], args[8]); }
larder$target:::log-insert { printf("log %d %d\n", args[0], args[1]); }
