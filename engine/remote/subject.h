#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
namespace dscope::remote {
constexpr std::size_t kLongestHost = 255; ///< letters. Source: hostname(7)
/// One run on one host. A host that traces again for the same run of many is another.
struct Origin {
    std::string host;
    std::int64_t began = 0; ///< ns since 1970
    auto operator<=>(const Origin&) const = default;
};
/// What a message tells of a run on a host.
enum class Topic : std::uint8_t {
    Program, ///< what runs
    Stacks,  ///< `number`: of a block of them
    Rows,    ///< `number`: of an aggregation, as it stands
    Losses,  ///< what was lost, and what went wrong
    End,     ///< the run is over
    Printed, ///< `number`: of a block of what clauses printed or traced
};
/// What a subject names.
struct Place {
    Origin origin;
    Topic topic = Topic::Program;
    std::uint32_t number = 0;
    /// Of a message that is larger than the broker takes: it is in two slots in turn, so that one is whole.
    struct Part {
        std::uint32_t slot = 0, number = 0;
        auto operator<=>(const Part&) const = default;
    };
    std::optional<Part> part;
    auto operator<=>(const Place&) const = default;
};
/// dscope.RUN.HOST.BEGAN.TOPIC[.NUMBER][.part.SLOT.NUMBER]; bytes of the host that a subject can't have are %XX.
std::string subjectOf(const std::string& run, const Place& place);
/// Nothing: it is no subject of that run. Host names from the network are what somebody wrote: any bytes, 255 at most.
std::optional<Place> placeOf(const std::string& run, const std::string& subject);
} // namespace dscope::remote
