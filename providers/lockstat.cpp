#include "engine/probe/provider.h"
namespace dscope::providers {
/// Kernel locks that were not free. The kernel tells when a thread begins to wait for a lock and when it is done, so all
/// these probes speak of contended locks only; times are in nanoseconds.
/// Source: include/trace/events/lock.h: contention_begin(void *lock, unsigned int flags), contention_end(void *lock, int
/// error); kernel/locking/*.c: a mutex begins once to spin (flags 33) and, when that was in vain, once to sleep (32).
std::unique_ptr<probe::Provider> make_lockstat()
{
    using probe::Row;
    // What a thread waits for, since when and how: kept from the first tracepoint to the second. Twice, for while it waits for one
    // that it sleeps for, the thread may spin for another: that of a run queue, or that of the lock's own list.
    constexpr std::string_view remember = "rawtp:::contention_begin /(args[1] & 0x21) != 1/ { self->lockstat_lock = (uint64_t)args[0];"
                                          " self->lockstat_since = timestamp; self->lockstat_how = args[1]; }"
                                          "rawtp:::contention_begin /(args[1] & 0x21) == 1/ { self->lockstat_spun = (uint64_t)args[0];"
                                          " self->lockstat_spun_since = timestamp; self->lockstat_spun_how = args[1]; }"
                                          "rawtp:::contention_end /self->lockstat_lock == (uint64_t)args[0]/"
                                          " { self->lockstat_lock = 0; self->lockstat_since = 0; self->lockstat_how = 0; }"
                                          "rawtp:::contention_end /self->lockstat_spun == (uint64_t)args[0]/"
                                          " { self->lockstat_spun = 0; self->lockstat_spun_since = 0; self->lockstat_spun_how = 0; }";
    const auto lock = [](const std::string& type) { return probe::Arg{"raw[0]", type, {}}; };
    const probe::Arg waited{"timestamp - self->lockstat_since", "uint64_t", {}},
        spun{"timestamp - self->lockstat_spun_since", "uint64_t", {}}, writes{"(self->lockstat_how & 4) != 0", "int", {}},
        spunWrites{"(self->lockstat_spun_how & 4) != 0", "int", {}};
    const auto mutexLock = lock("struct mutex *"), spinLock = lock("spinlock_t *"), rwLock = lock("struct rwlock *");
    const std::vector<probe::Arg> mutex{mutexLock}, mutexTime{mutexLock, waited}, spin{spinLock}, spinTime{spinLock, spun},
        rw{rwLock, writes}, rwTime{rwLock, waited, writes}, rwSpin{rwLock, spunWrites}, rwSpinTime{rwLock, spun, spunWrites};

    // flags: 1 spins, 2 reads, 4 writes, 8 real-time mutex, 16 per-CPU semaphore, 32 mutex.
#define DSCOPE_WAITED "self->lockstat_lock == raw[0] && "
#define DSCOPE_SPUN "self->lockstat_spun == raw[0] && "
    constexpr std::string_view mutexSpun = DSCOPE_WAITED "(self->lockstat_how & 0x21) == 0x21",
                               mutexSpunInVain = DSCOPE_WAITED "(raw[1] & 0x21) == 0x20 && (self->lockstat_how & 0x21) == 0x21",
                               mutexBlocked = DSCOPE_WAITED "(self->lockstat_how & 0x21) == 0x20",
                               mutexTaken = DSCOPE_WAITED "(self->lockstat_how & 0x20) != 0 && (int)raw[1] == 0",
                               mutexNotTaken = DSCOPE_WAITED "(self->lockstat_how & 0x20) != 0 && (int)raw[1] != 0",
                               rwBlocked = DSCOPE_WAITED "(self->lockstat_how & 6) != 0",
                               rwTaken = DSCOPE_WAITED "(self->lockstat_how & 6) != 0 && (int)raw[1] == 0",
                               spinSpun = DSCOPE_SPUN "self->lockstat_spun_how == 1",
                               rwSpun = DSCOPE_SPUN "(self->lockstat_spun_how & 6) != 0",
                               rwSpunFor = DSCOPE_SPUN "(self->lockstat_spun_how & 6) != 0 && (int)raw[1] == 0";
#undef DSCOPE_WAITED
#undef DSCOPE_SPUN
    auto failed = mutex;
    failed.push_back({"(int)raw[1]", "int", {}});
    const std::string_view tracepoint = "contention_end";
    std::vector<Row> rows{
        {"adaptive-acquire", tracepoint, "", mutexTaken, mutex},
        {"adaptive-acquire-error", tracepoint, "", mutexNotTaken, failed},
        {"adaptive-block", tracepoint, "", mutexBlocked, mutexTime},
        {"adaptive-spin", tracepoint, "", mutexSpun, mutexTime},
        {"adaptive-spin", "contention_begin", "", mutexSpunInVain, mutexTime},
        {"rw-acquire", tracepoint, "", rwTaken, rw},
        {"rw-acquire", tracepoint, "", rwSpunFor, rwSpin},
        {"rw-block", tracepoint, "", rwBlocked, rwTime},
        {"rw-spin", tracepoint, "", rwSpun, rwSpinTime},
        {"spin-acquire", tracepoint, "", spinSpun, spin},
        {"spin-spin", tracepoint, "", spinSpun, spinTime},
    };

    for (auto& row : rows)
        row.companion = remember;
    const std::string_view quiet = "the kernel has no tracepoint where a lock is let go, only where one is waited for; with kprobes, "
                                   "fbt::mutex_unlock:entry, fbt::up_read:entry, fbt::up_write:entry tell";
    rows.push_back({.probe = "adaptive-release", .args = mutex, .why = quiet});
    rows.push_back({.probe = "rw-release", .args = rw, .why = quiet});
    rows.push_back({.probe = "spin-release", .args = spin, .why = quiet});
    rows.push_back({.probe = "rw-upgrade", .args = rw, .why = "no reader of a Linux lock can become its writer"});
    rows.push_back({.probe = "rw-downgrade",
        .args = rw,
        .why = "the kernel has no tracepoint for it; with kprobes, fbt::downgrade_write:entry tells"});
    for (const std::string_view probe : {"thread-spin"})
        rows.push_back({.probe = probe, .why = "Linux has no thread locks; lockstat:::spin-spin tells of its run queues' locks"});
    return probe::synthetic(
        {.name = "lockstat", .summary = "kernel locks that a thread had to wait for, and how long", .example = "lockstat:::adaptive-block"},
        std::move(rows));
}
} // namespace dscope::providers
