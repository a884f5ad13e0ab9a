/* One clause for all of a provider's probes: every name is the right one. */
#pragma D option quiet

syscall::read:,
syscall::write:
{
	@[probefunc, probename] = count();
	@id[probeprov, id > 3] = count();
}
@@fire syscall::read:entry
@@fire syscall::read:return
@@fire syscall::read:entry
@@fire syscall::write:return
@@fire syscall::openat:return
@@expect

  read                                                return                                                            1
  write                                               return                                                            1
  read                                                entry                                                             2
  syscall                                                   1                4
