/* Who opens which file. */
#pragma D option quiet

syscall::open*:entry
{
	printf("%-20s %s\n", execname, copyinstr(probefunc == "open" ? arg0 : arg1));
}
@@memory user 0x5000 "/www/cms/uploads/logo.png"
@@memory user 0x6000 "./cms/fe_users.MYD"
@@fire syscall::open:entry execname=httpd arg0=0x5000 arg1=0
@@fire syscall::openat:entry execname=mysqld arg0=-100 arg1=0x6000
@@expect
httpd                /www/cms/uploads/logo.png
mysqld               ./cms/fe_users.MYD

