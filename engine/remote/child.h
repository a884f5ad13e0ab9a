#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>
namespace dscope::remote {
/// A program that was started, with pipes to and from it. It is of a process group of its own: what a terminal sends to us does not
/// reach it.
class Child {
public:
    /// `input`: a descriptor that it reads in the place of a pipe from us; -1: none. Error: it could not be started.
    static Result<Child> start(const std::vector<std::string>& words, int input = -1);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    ~Child(); ///< kills it, if it is there

    int output() const { return m_output.get(); }     ///< readable without waiting
    int complaints() const { return m_complaints.get(); } ///< its standard error, likewise
    /// Ends what it reads.
    void closeInput() { m_input.reset(); }
    void closeComplaints() { m_complaints.reset(); }
    void kill();           ///< with all of its process group
    bool hasEnded() const; ///< end() would not wait
    /// Waits for its end; its status as wait(2) gives it.
    int end();

private:
    Child() = default;
    pid_t m_pid = 0;
    Fd m_input, m_output, m_complaints;
};
/// What a program prints that ends by itself, without its last newline; it reads `input`, a descriptor, or nothing. Error: it could not be
/// started, or what it complained about.
Result<std::string> outputOf(const std::vector<std::string>& words, int input = -1);
} // namespace dscope::remote
