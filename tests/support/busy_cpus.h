#pragma once
#include <atomic>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>
namespace dscope::tests {
/// Every CPU we may run on has something to do while this is there: some kernels (6.18 as a guest of PVM) sample no CPU
/// that idles, and profile-N fires there no more than perf would.
class BusyCpus {
public:
    enum class In { Program, Kernel };
    /// `In::Kernel`: most of the time in one system call, so that samples are of the kernel's code.
    explicit BusyCpus(In in = In::Program) : m_in(in)
    {
        cpu_set_t mine;
        CPU_ZERO(&mine);
        ::sched_getaffinity(0, sizeof mine, &mine);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &mine)) m_threads.emplace_back([this, cpu] { spin(cpu); });
    }
    BusyCpus(const BusyCpus&) = delete;
    BusyCpus& operator=(const BusyCpus&) = delete;
    ~BusyCpus()
    {
        m_ends = true;
        for (auto& thread : m_threads)
            thread.join();
    }

private:
    void spin(int cpu) const
    {
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET(cpu, &only);
        ::sched_setaffinity(0, sizeof only, &only);
        // Whoever has work goes first; but not SCHED_IDLE: on a busy machine such a thread, interrupted in the kernel, keeps everyone
        // who detaches a probe waiting for minutes.
        ::setpriority(PRIO_PROCESS, 0, 19);
        std::vector<char> room(m_in == In::Kernel ? 65536 : 0);
        const int zeros = m_in == In::Kernel ? ::open("/dev/zero", O_RDONLY | O_CLOEXEC) : -1;
        while (!m_ends)
            if (zeros >= 0 && ::read(zeros, room.data(), room.size()) < 0) break;
        if (zeros >= 0) ::close(zeros);
    }
    In m_in;
    std::atomic<bool> m_ends = false;
    std::vector<std::thread> m_threads;
};
} // namespace dscope::tests
