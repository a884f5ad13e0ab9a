#pragma once
#include <QtGlobal>
#include <algorithm>
#include <string>
#include <thread>
#include <unistd.h>
namespace dscope::tests {
/// Standard input is a pipe that somebody writes `text` into.
class StandardInput {
public:
    explicit StandardInput(std::string text) : m_before(::dup(STDIN_FILENO)), m_text(std::move(text))
    {
        int ends[2];
        if (::pipe(ends) != 0) qFatal("no pipe");
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        m_writer = std::thread([this, to = ends[1]] {
            for (std::size_t at = 0; at < m_text.size();) {
                const auto n = ::write(to, m_text.data() + at, std::min<std::size_t>(m_text.size() - at, 10'000));
                if (n <= 0) break;
                at += static_cast<std::size_t>(n);
            }
            ::close(to);
        });
    }
    ~StandardInput()
    {
        m_writer.join();
        ::dup2(m_before, STDIN_FILENO);
        ::close(m_before);
    }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

private:
    int m_before;
    std::string m_text;
    std::thread m_writer;
};
} // namespace dscope::tests
