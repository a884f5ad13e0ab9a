#!/usr/bin/env -S dscope -s
/*
 * Which programs send and receive over TCP, segment by segment?
 *
 *   dscope -s examples/tcpsnoop.d
 *
 * A segment arrives in whatever process is running: the one that a connection belongs to is who last sent through it.
 */
#pragma D option quiet

BEGIN
{
	printf("%7s %-16s %24s %5s %2s %24s %5s %7s\n", "PID", "PROGRAM", "LOCAL", "PORT", "", "REMOTE", "PORT", "BYTES");
}

tcp:::send
/pid && args[1]->cs_addr/
{
	owner[args[1]->cs_addr] = pid;
	program[args[1]->cs_addr] = execname;
}

tcp:::send
{
	printf("%7d %-16s %24s %5d -> %24s %5d %7d\n", owner[args[1]->cs_addr], program[args[1]->cs_addr], args[2]->ip_saddr,
	    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_plength - args[4]->tcp_offset);
}

tcp:::receive
{
	printf("%7d %-16s %24s %5d <- %24s %5d %7d\n", owner[args[1]->cs_addr], program[args[1]->cs_addr], args[2]->ip_daddr,
	    args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_plength - args[4]->tcp_offset);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	owner[args[1]->cs_addr] = 0;
	program[args[1]->cs_addr] = 0;
}
