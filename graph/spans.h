#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::graph {
/// Processes in time, for programs that draw timelines.
struct SpanTrack {
    std::uint32_t pid = 0;
    std::string name;
    struct Span {
        std::int64_t start = 0, end = 0; ///< ns, CLOCK_MONOTONIC
        std::string name;                ///< the program that it was
    };
    std::vector<Span> spans;             ///< one after the other
};
/// What visuals have that are made of processes in time, beside Visual.
class HasSpans {
public:
    virtual ~HasSpans() = default;
    virtual std::vector<SpanTrack> tracks() const = 0;
};
} // namespace dscope::graph
