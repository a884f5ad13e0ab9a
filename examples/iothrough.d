/*
 * How fast is each disk while it works, in KB a second?
 *
 *   dscope -s examples/iothrough.d --export histogram=iothrough.svg
 */
#pragma D option quiet

io:::start
{
	start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

/* Bytes / 1024 by nanoseconds / 1000000000 is bytes * 976562 by nanoseconds: no precision is lost. */
io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
	this->elapsed = timestamp - start[args[0]->b_edev, args[0]->b_blkno];
	@[args[1]->dev_statname, args[1]->dev_pathname] =
	    quantize((args[0]->b_bcount * 976562) / this->elapsed);
	start[args[0]->b_edev, args[0]->b_blkno] = 0;
}

END
{
	printa("  %s (%s)\n%@d\n", @);
}
