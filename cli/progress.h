#pragma once
#include <chrono>
#include <cstdint>
#include <string>
namespace dscope::cli {
/// One line on a terminal's standard error that tells how far something is: from half a second after the program began
/// waiting for the first of them, ten times a second at most, and wiped at its end. On anything else nothing is written.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Bytes so far; `of` is 0 if the total is not known.
    void at(std::uint64_t bytes, std::uint64_t of);
    /// For work whose progress cannot be measured: printed once.
    void begin();

private:
    using Clock = std::chrono::steady_clock;
    bool due();
    void show(const std::string& text);

    std::string m_what;
    bool m_isTerminal;
    Clock::time_point m_next;
    std::size_t m_shown = 0; ///< columns to wipe
};
} // namespace dscope::cli
