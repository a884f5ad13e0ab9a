#include "engine/text/mapped_file.h"
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
namespace dscope::text {
namespace {
/// Where a file is mapped, for the signal handler, which may neither lock nor allocate.
struct Range {
    std::atomic<bool> isTaken = false;
    std::atomic<std::uintptr_t> begin = 0, end = 0; ///< 0, 0: none
};
constexpr std::size_t kMostMapped = 64; // files at once; one more is read in pieces
std::array<Range, kMostMapped> g_ranges;
struct sigaction g_before; // what SIGBUS did before we came

/// Puts pages of zeros where a file ended too early: the instruction that failed then reads them.
void onBusError(int, siginfo_t* info, void*)
{
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const auto& range : g_ranges) {
        const auto begin = range.begin.load(), end = range.end.load();
        if (info->si_code != BUS_ADRERR || at < begin || at >= end) continue;
        const auto from = at & ~(page - 1);
        void* zeros = ::mmap(reinterpret_cast<void*>(from), end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros != MAP_FAILED) return;
    }
    // Not ours. The instruction is tried again, and then it goes as it would have gone without us.
    ::sigaction(SIGBUS, &g_before, nullptr);
}
void survivesCuts()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action { };
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGBUS, &action, &g_before);
    });
}
} // namespace

std::shared_ptr<const MappedFile> MappedFile::map(Fd file, std::size_t size, std::string path)
{
    std::size_t slot = 0;
    while (slot < kMostMapped && g_ranges[slot].isTaken.exchange(true))
        ++slot;
    if (slot == kMostMapped) return {};

    survivesCuts();
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (at == MAP_FAILED) {
        g_ranges[slot].isTaken = false;
        return {};
    }
    ::madvise(at, size, MADV_SEQUENTIAL);
    std::shared_ptr<MappedFile> mapped(new MappedFile);
    mapped->m_file = std::move(file);
    mapped->m_path = std::move(path);
    mapped->m_begin = static_cast<char*>(at);
    mapped->m_size = size;
    mapped->m_slot = slot;
    g_ranges[slot].end = reinterpret_cast<std::uintptr_t>(at) + size;
    g_ranges[slot].begin = reinterpret_cast<std::uintptr_t>(at);
    return mapped;
}

MappedFile::~MappedFile()
{
    auto& range = g_ranges[m_slot];
    range.end = 0;
    range.begin = 0;
    if (m_begin) ::munmap(m_begin, m_size);
    range.isTaken = false;
}

std::string_view MappedFile::text() const { return {m_begin, m_size}; }

Result<> MappedFile::check() const
{
    struct stat info { };
    if (::fstat(m_file.get(), &info) == 0 && static_cast<std::size_t>(info.st_size) < m_size) return wasCut().in(m_path);
    return {};
}

Error wasCut() { return Error{0, "the file was cut while it was read, as a rotation of logs does: import a copy of it"}; }
} // namespace dscope::text
