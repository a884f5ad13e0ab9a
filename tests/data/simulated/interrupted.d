/* SIGINT: a newline first, then as always. */
#pragma D option quiet

BEGIN
{
	@ = count();
}

END
{
	printf("end\n");
}
@@interrupt
@@expect

end

                1
