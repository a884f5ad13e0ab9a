#include "engine/text/kept_text.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::text {
namespace {
constexpr std::size_t kKeptBlock = std::size_t{1} << 20; // bytes, of memory and of what is written at a time
} // namespace

KeptText::KeptText(std::size_t expected, const char* folder)
{
    if (expected < kLarge) return;
    Fd file(::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(expected)) != 0) return;
    void* at = ::mmap(nullptr, expected, PROT_READ, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) return;
    m_begin = static_cast<char*>(at);
    m_size = expected;
    m_file = std::move(file);
    m_waiting.reserve(2 * kKeptBlock);
}

KeptText::~KeptText()
{
    if (m_begin) ::munmap(m_begin, m_size);
}

std::string_view KeptText::keep(std::string_view text)
{
    const auto used = m_written + m_waiting.size();
    if (m_file && text.size() <= m_size - used) {
        m_waiting.insert(m_waiting.end(), text.begin(), text.end());
        if (m_waiting.size() >= kKeptBlock) write();
        return {m_begin + used, text.size()};
    }
    if (text.size() > m_room || m_blocks.empty()) {
        m_room = std::max(kKeptBlock, text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_room));
        m_blockEnd = m_blocks.back().get() + m_room;
    }
    char* to = m_blockEnd - m_room;
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    m_room -= text.size();
    return {to, text.size()};
}

void KeptText::finish()
{
    write();
    m_waiting = {};
    m_file.reset();
}

void KeptText::write()
{
    if (!m_file) return;
    std::size_t done = 0;
    while (done < m_waiting.size()) {
        const auto now = ::pwrite(m_file.get(), m_waiting.data() + done, m_waiting.size() - done, static_cast<off_t>(m_written + done));
        if (now <= 0) return stayInMemory();
        done += static_cast<std::size_t>(now);
    }
    m_written += done;
    m_waiting.clear();
}

/// The disk is full: what it has stays there, and what waits stands in memory at the place that it was given. More goes into blocks.
void KeptText::stayInMemory()
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto from = m_written / page * page;
    const auto end = m_written + m_waiting.size();
    const std::vector<char> begun(m_begin + from, m_begin + m_written); // of the page that is on both sides
    void* at = ::mmap(m_begin + from, end - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    std::copy(begun.begin(), begun.end(), m_begin + from);
    std::copy(m_waiting.begin(), m_waiting.end(), m_begin + m_written);
    m_waiting = {};
    m_file.reset();
}
} // namespace dscope::text
