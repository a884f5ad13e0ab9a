#include "engine/symbols/perf_map.h"
#include <algorithm>
#include <charconv>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::symbols {
namespace {
constexpr std::uint64_t kMost = 64 << 20;
constexpr std::size_t kLongestLine = 1 << 16;

void addLine(std::string_view line, JitCode& code)
{
    const auto number = [&line](std::uint64_t& value) {
        if (line.starts_with("0x")) line.remove_prefix(2);
        const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
        line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
        if (error != std::errc{} || line.empty() || line.front() != ' ') return false;
        line.remove_prefix(1);
        return true;
    };
    std::uint64_t start = 0, size = 0;
    if (number(start) && number(size)) code.add(start, size, line);
}
} // namespace

/// Whether another program wrote all that there is. Then only what is added is read.
bool PerfMap::isStale(const Fd& file, std::int64_t written, std::uint64_t size)
{
    constexpr std::uint64_t kEnd = 256;
    const auto endAt = [&](std::uint64_t end) {
        std::string text(std::min(end, kEnd), '\0');
        const auto n = ::pread(file.get(), text.data(), text.size(), static_cast<off_t>(end - text.size()));
        text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return text;
    };
    if (written < m_begin && (m_read == 0 || !m_before.empty())) {
        m_before = endAt(size);
        m_read = size;
        return true;
    }
    if (!m_before.empty() && endAt(m_read) != m_before) m_read = 0;
    m_before.clear();
    return false;
}

void PerfMap::read(const Fd& file, std::uint32_t owner, JitCode& code)
{
    struct stat status { };
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (status.st_uid != owner && status.st_uid != 0) return;
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto written = status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec;
    if (written >= m_end) return;
    const auto size = std::min(static_cast<std::uint64_t>(status.st_size), kMost);
    if (status.st_dev != m_device || status.st_ino != m_inode || size < m_read) {
        m_read = 0;
        m_cut.clear();
        m_before.clear();
        m_device = status.st_dev;
        m_inode = status.st_ino;
        code.clear();
    }

    if (isStale(file, written, size)) return;
    std::string text;
    while (m_read < size) {
        text.resize(std::min<std::uint64_t>(size - m_read, 1 << 20));
        const auto n = ::pread(file.get(), text.data(), text.size(), static_cast<off_t>(m_read));
        if (n <= 0) return;
        m_read += static_cast<std::uint64_t>(n);
        text.resize(static_cast<std::size_t>(n));
        text.insert(0, m_cut);
        std::string_view rest = text;
        for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
            addLine(rest.substr(0, end), code);
            rest.remove_prefix(end + 1);
        }
        m_cut = rest.substr(0, kLongestLine);
    }
}
} // namespace dscope::symbols
