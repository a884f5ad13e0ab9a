/*
 * Which programs read in which portions: many small reads ask for a buffer.
 * The whole of it fits a command line: dscope -n 'readch { @[execname] = quantize(arg0); }'
 *
 *   dscope -s examples/read-sizes.d -c 'tar cf /dev/null /etc'
 */
readch
{
	@[execname] = quantize(arg0);
}
