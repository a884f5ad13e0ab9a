#include "engine/symbols/mapped_ranges.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/ioctl.h>
#include <utility>
namespace dscope::symbols {
namespace {
/// struct procmap_query, which headers before 6.11 have not.
struct RangeQuery {
    std::uint64_t size;
    std::uint64_t flags;
    std::uint64_t address;
    std::uint64_t start, end;
    std::uint64_t rangeFlags;
    std::uint64_t pageSize;
    std::uint64_t offset;
    std::uint64_t inode;
    std::uint32_t major, minor;
    std::uint32_t nameSize; ///< of the room for it; then with its final zero, 0: none
    std::uint32_t buildIdSize;
    std::uint64_t name;
    std::uint64_t buildId;
};
static_assert(sizeof(RangeQuery) == 104);
constexpr std::uint64_t kExecutable = 0x04, kCoveringOrNext = 0x10;
constexpr auto kQuery = _IOWR('f', 17, RangeQuery);

/// The ranges, or none where the kernel does not answer such questions.
std::optional<ProcessMaps> asked(const Fd& file)
{
    ProcessMaps maps;
    std::array<char, PATH_MAX> name{};
    for (std::uint64_t from = 0;;) {
        RangeQuery query{};
        query.size = sizeof query;
        query.flags = kExecutable | kCoveringOrNext;
        query.address = from;
        query.name = reinterpret_cast<std::uintptr_t>(name.data());
        query.nameSize = name.size();
        if (::ioctl(file.get(), kQuery, &query) != 0) {
            if (errno == EINTR) continue;
            if (errno == ENOENT || errno == ESRCH) return maps; // no further one; no memory any more
            return {};
        }
        Mapping mapping;
        mapping.start = query.start;
        mapping.end = query.end;
        mapping.offset = query.offset;
        mapping.major = query.major;
        mapping.minor = query.minor;
        mapping.inode = query.inode;
        mapping.setShownPath(query.nameSize == 0 ? std::string_view() : std::string_view(name.data(), query.nameSize - 1));
        maps.all().push_back(std::move(mapping));
        from = query.end;
    }
}

/// Where old programs make system calls, the same in all processes: it is in the text, but none of their ranges.
const std::optional<Mapping>& callGate(const host::Host& host)
{
    static const auto gate = [&]() -> std::optional<Mapping> {
        const auto text = host.read("/proc/self/maps");
        if (!text) return {};
        const auto maps = ProcessMaps::parse(*text);
        const auto& all = maps.all();
        const auto found = std::find_if(all.begin(), all.end(), [](const Mapping& one) { return one.path == "[vsyscall]"; });
        return found == all.end() ? std::nullopt : std::optional(*found);
    }();
    return gate;
}
} // namespace

Result<ProcessMaps> mappedRanges(const host::Host& host, std::uint32_t pid)
{
    const auto path = "/proc/" + std::to_string(pid) + "/maps";
    if (const auto file = host.open(path, O_RDONLY))
        if (auto maps = asked(file)) {
            if (const auto& gate = callGate(host); gate && !maps->all().empty()) maps->all().push_back(*gate);
            return *std::move(maps);
        }
    DSCOPE_TRY(const auto text, host.read(path));
    return ProcessMaps::parse(text);
}
} // namespace dscope::symbols
