#pragma once
#include <cstddef>
#include <string>
#include <string_view>
namespace dscope::graph {
/// What is counted. Figures say those that they know in their language; what another tool counts has the name that it gave.
class Noun {
public:
    Noun() : Noun("events") { }
    explicit Noun(std::string_view plural); ///< in English, as recordings have it: "samples"
    /// As files have it, which are in English.
    const std::string& plural() const { return m_plural; }
    /// "samples", in the language of this thread.
    std::string said() const;
    /// "3 samples" of "3"; "1 sample".
    std::string with(const std::string& number) const;
    /// "3 of 10 samples" of "3" and "10".
    std::string partOf(const std::string& part, const std::string& whole) const;
    bool operator==(const Noun&) const = default;

private:
    static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
    std::string m_plural;
    std::size_t m_known; ///< among the words of figures, or kUnknown
};
/// Of samples that carry a value, which is what is counted then: values.
Noun ofValues(Noun noun);
} // namespace dscope::graph
