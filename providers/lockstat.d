/* What the lockstat provider's arguments look like. */

/* Linux has two kinds of readers-writer locks, struct rw_semaphore and rwlock_t; which one a `struct rwlock` is, the
   probe tells: threads block for the first and spin for the second. */
struct rwlock;
