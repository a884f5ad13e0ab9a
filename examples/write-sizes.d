/*
 * How large are the writes? A power-of-two histogram of what each program asks write(2) to write.
 *
 *   dscope -s examples/write-sizes.d -c 'tar cf /tmp/usr-share.tar /usr/share/doc' --export sizes.svg
 */
#pragma D option quiet

syscall::write:entry
/pid == $target || ppid == $target/
{
	@bytes[execname] = quantize(arg2);
}
