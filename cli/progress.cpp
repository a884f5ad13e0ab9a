#include "cli/progress.h"
#include "graph/units.h"
#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr std::chrono::milliseconds kPatience{500}, kEvery{100};
std::size_t columns()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
}
} // namespace

Progress::Progress(std::string what) : m_what(std::move(what)), m_isTerminal(::isatty(STDERR_FILENO) == 1)
{
    static const auto first = Clock::now();
    m_next = first + kPatience;
}
Progress::~Progress()
{
    if (m_shown > 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(m_shown), "");
}
void Progress::at(std::uint64_t bytes, std::uint64_t of)
{
    if (!due()) return;
    const auto size = [](std::uint64_t n) { return graph::formatBytes(static_cast<double>(n)); };
    show(of == 0
            ? m_what + ": " + size(bytes)
            : m_what + ": " + std::to_string(std::min<std::uint64_t>(100, 100 * bytes / of)) + " %, " + size(bytes) + " of " + size(of));
}
void Progress::begin()
{
    if (due()) show(m_what);
}
bool Progress::due()
{
    if (!m_isTerminal) return false;
    const auto now = Clock::now();
    if (now < m_next) return false;
    m_next = now + kEvery;
    return true;
}
void Progress::show(const std::string& text)
{
    const auto line = text.substr(0, columns());
    const auto wide = std::max(m_shown, line.size());
    std::fprintf(stderr, "\r%-*s", static_cast<int>(wide), line.c_str());
    std::fflush(stderr);
    m_shown = wide;
}
} // namespace dscope::cli
