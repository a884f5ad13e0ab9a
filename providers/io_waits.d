/* What io's wait probes note of a thread, apart from the other probes: kernels before 5.11 keep no thread-local variables. */

self uintptr_t dscope_made;	/* the last request of this thread */
self uintptr_t dscope_waits;	/* the one that it waits for, + 1 */
