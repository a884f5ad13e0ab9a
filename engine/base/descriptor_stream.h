#pragma once
#include <array>
#include <ostream>
#include <streambuf>
namespace dscope {
/// An output stream over a descriptor, which is not owned. Unlike std::ofstream it keeps why a write failed.
class DescriptorStream final : public std::ostream {
public:
    explicit DescriptorStream(int descriptor);
    ~DescriptorStream() override; ///< flushes
    /// errno of the first write that failed; 0 while none has.
    int failure() const { return m_buffer.failure; }

private:
    struct Buffer final : std::streambuf {
        explicit Buffer(int to);
        int_type overflow(int_type c) override;
        int sync() override;
        int descriptor;
        int failure = 0;
        std::array<char, std::size_t{64} << 10> bytes;
    };
    Buffer m_buffer;
};
} // namespace dscope
