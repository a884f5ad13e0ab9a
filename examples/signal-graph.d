/*
 * Who sends signals to whom? Written in Graphviz's language, which dscope draws, as dot does.
 *
 *   dscope -s examples/signal-graph.d --export graph=signals.svg
 */
#pragma D option quiet

BEGIN
{
	printf("digraph signals {\n");
}

proc:::signal-send
{
	@[execname, args[1]->pr_fname, args[2]] = count();
}

END
{
	printa("\t\"%s\" -> \"%s\" [label=\"signal %d, %@d times\"];\n", @);
	printf("}\n");
}
