#pragma once
#include "engine/base/fd.h"
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Copies of texts, which stay where they are as long as this. Where much is expected they stand in a file without a name, from which
/// they are read when somebody looks at them: the system can take that memory back, which it can't of what a program has written.
class KeptText {
public:
    /// `expected`: bytes in all; 0: not known. `folder`: of the file, on a disk; where it can't be there, all stands in memory.
    /// Source: file-hierarchy(7): /var/tmp is for large temporary files, /tmp is often memory itself.
    explicit KeptText(std::size_t expected, const char* folder = "/var/tmp");
    ~KeptText();
    KeptText(const KeptText&) = delete;
    KeptText& operator=(const KeptText&) = delete;
    /// Where the copy of `text` is. It may be read after finish().
    std::string_view keep(std::string_view text);
    /// No more text comes.
    void finish();
    bool isInFile() const { return m_begin != nullptr; }         ///< at least its beginning is
    static constexpr std::size_t kLarge = std::size_t{64} << 20; ///< bytes: less stands in memory

private:
    void write();
    void stayInMemory();
    std::vector<std::unique_ptr<char[]>> m_blocks;
    char* m_blockEnd = nullptr; ///< of the last block
    std::size_t m_room = 0;     ///< bytes that are free there
    Fd m_file;
    char* m_begin = nullptr; ///< where the file is mapped
    std::size_t m_size = 0, m_written = 0;
    std::vector<char> m_waiting; ///< what is written next
};
} // namespace dscope::text
