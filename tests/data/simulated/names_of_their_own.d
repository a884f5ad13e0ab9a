/* Names of Linux's things, which scripts of other DTraces have for their own: variables, arrays, constants; before and behind what
 * reads the library that has ours. */
inline int netns = 5;
string cgroup;
enum room { container = 7 };

BEGIN
{
	trace(ESRCH);
	cgroup = "mine";
	cgroupid[1] = 2;
	cgroupid[1] += 3;
}

BEGIN
/cgroup == "mine"/
{
	printf("%s %d %d %d\n", cgroup, netns, cgroupid[1], container + 1);
	exit(0);
}
@@option quiet
@@expect
3mine 5 5 8

