/* ! and its kin bring what self->, this-> and [] name to life, as ++ does: a predicate may come before any assignment. */
#pragma D option quiet

syscall::read:entry
/!self->traced && !pending["disk", cpu]/
{
	printf("first %d %d %d\n", -self->depth, ~this->mask, sizeof (self->traced));
}

syscall::read:entry
{
	self->traced++;
	pending["disk", cpu] += 2;
	printf("%d %d\n", self->traced, pending["disk", 0]);
}
@@fire syscall::read:entry times=2
@@expect
first 0 -1 8
1 2
2 4

