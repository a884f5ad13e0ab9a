/*
 * Who connects to whom, who is refused, and how long does a connection take to be made?
 *
 *   dscope -s examples/tcp-connections.d
 */
#pragma D option quiet

tcp:::connect-request
{
	requested[args[3]->tcps_addr] = timestamp;
}

tcp:::connect-established
/requested[args[3]->tcps_addr]/
{
	printf("%s:%d connected to %s:%d in %d us\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, (timestamp - requested[args[3]->tcps_addr]) / 1000);
	requested[args[3]->tcps_addr] = 0;
}

tcp:::connect-refused
{
	printf("%s:%d refused a connection\n", args[3]->tcps_raddr, args[3]->tcps_rport);
	requested[args[3]->tcps_addr] = 0;
}

tcp:::accept-established
{
	printf("%s:%d accepted %s:%d\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}
