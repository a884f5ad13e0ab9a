#include "engine/symbols/perf_map.h"
#include "engine/base/fd.h"
#include <charconv>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::symbols {
SymbolTable parsePerfMap(std::string_view text)
{
    struct Line {
        std::uint64_t size;
        std::string_view name;
    };
    std::map<std::uint64_t, Line> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto number = [&line](std::uint64_t& value) {
            if (line.starts_with("0x")) line.remove_prefix(2);
            const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
            line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
            if (error != std::errc{} || line.empty() || line.front() != ' ') return false;
            line.remove_prefix(1);
            return true;
        };
        std::uint64_t start = 0, size = 0;
        if (number(start) && number(size) && size > 0 && !line.empty()) lines[start] = {size, line};
    }
    SymbolTable table;
    for (const auto& [start, line] : lines)
        table.add(start, line.size, line.name, SymbolTable::Binding::Global, start + line.size);
    table.finish();
    return table;
}

std::string readPerfMap(const std::string& path, std::uint32_t owner)
{
    constexpr off_t kMost = 64 << 20;
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
    struct stat status { };
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > kMost) return {};
    if (status.st_uid != owner && status.st_uid != 0) return {};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const auto n = ::pread(fd.get(), text.data() + have, text.size() - have, static_cast<off_t>(have));
        if (n <= 0) break;
        have += static_cast<std::size_t>(n);
    }
    text.resize(have);
    return text;
}
} // namespace dscope::symbols
