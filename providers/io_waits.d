/* What io's wait probes note of a thread, apart from the other probes: kernels before 5.11 keep no thread-local variables. */

self uintptr_t dscope_made;	/* the last request of this thread */
self uintptr_t dscope_waits;	/* while it waits for one: where in dscope_io its copy is */
