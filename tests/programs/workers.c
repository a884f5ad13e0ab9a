// workers BYTES TIMES: has a thread of the kernel's, within this process, read BYTES zeros TIMES times, by io_uring. Ends with 77 where that
// is not to be had.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    const unsigned bytes = (unsigned)atoi(argv[1]);
    struct io_uring_params given;
    memset(&given, 0, sizeof given);
    const int ring = (int)syscall(SYS_io_uring_setup, 4, &given);
    const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    char* to = malloc(bytes);
    if (ring < 0 || zeros < 0 || !to) return 77;
    const int both = PROT_READ | PROT_WRITE;
    char* asked = mmap(0, given.sq_off.array + given.sq_entries * sizeof(unsigned), both, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char* done = mmap(0, given.cq_off.cqes + given.cq_entries * sizeof(struct io_uring_cqe), both, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    struct io_uring_sqe* entries = mmap(0, given.sq_entries * sizeof *entries, both, MAP_SHARED, ring, IORING_OFF_SQES);
    if (asked == MAP_FAILED || done == MAP_FAILED || entries == MAP_FAILED) return 77;
    unsigned* tail = (unsigned*)(asked + given.sq_off.tail);
    unsigned* places = (unsigned*)(asked + given.sq_off.array);
    for (int i = atoi(argv[2]); i > 0; --i) {
        const unsigned at = *tail & (given.sq_entries - 1);
        memset(&entries[at], 0, sizeof entries[at]);
        entries[at].opcode = IORING_OP_READ;
        entries[at].fd = zeros;
        entries[at].addr = (unsigned long)to;
        entries[at].len = bytes;
        entries[at].flags = IOSQE_ASYNC; // not by the caller itself
        places[at] = at;
        __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
        if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0) return 77;
        __atomic_store_n((unsigned*)(done + given.cq_off.head), *(unsigned*)(done + given.cq_off.tail), __ATOMIC_RELEASE);
    }
    return 0;
}
