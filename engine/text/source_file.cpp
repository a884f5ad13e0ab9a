#include "engine/text/source_file.h"
#include "engine/base/fd.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::text {
namespace {
constexpr std::size_t kLargest = 8U << 20U, kTab = 4;

/// Ends what is in `line`, and begins the next.
void endLine(std::vector<std::string>& lines, std::string& line)
{
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
    line.clear();
}
} // namespace

std::optional<std::vector<std::string>> sourceLines(const std::string& path)
{
    if (!path.starts_with('/')) return {}; // relative to a folder that nobody knows
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status { };
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    if (status.st_size < 0 || static_cast<std::size_t>(status.st_size) > kLargest) return {};
    if (::geteuid() == 0 && (status.st_mode & S_IROTH) == 0) return {};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const auto got = ::read(file.get(), text.data() + have, text.size() - have);
        if (got <= 0) break;
        have += static_cast<std::size_t>(got);
    }

    text.resize(have);
    std::vector<std::string> lines;
    std::string line;
    for (const char c : text) {
        if (c == '\n')
            endLine(lines, line);
        else if (c == '\t')
            line.append(kTab - line.size() % kTab, ' ');
        else
            line += c;
    }
    if (!line.empty()) endLine(lines, line);
    return lines;
}
} // namespace dscope::text
