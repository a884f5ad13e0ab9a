#!/usr/sbin/dtrace -s

#pragma D option quiet

io:::start {
    @bytes[args[1]->dev_statname, args[2]->fi_name,
        execname] = sum(args[0]->b_bcount);
}

END {
    printf("%10s %20s %15s %10s\n",
        "DEVICE", "FILE", "APP", "BYTES");
    printa("%10s %20s %15s %10@d\n", @bytes);
}
