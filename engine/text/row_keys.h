#pragma once
#include "engine/text/importer.h"
#include <cstddef>
#include <string>
#include <string_view>
namespace dscope::text {
/// A text in `most` bytes: where it is longer, its beginning, "..." and 16 digits that differ wherever the texts do.
std::string shortened(std::string_view text, std::size_t most);

/// The keys of the rows of a table. Every row has room for the longest, so keys that would take more than 256 MiB in all are shortened.
class RowKeys {
public:
    /// Bytes; longer keys are always cut.
    static constexpr std::size_t kLongest = 4096;
    RowKeys(std::size_t rows, std::size_t keys);
    /// Bytes that a key takes, a NUL behind it, and what follows aligned.
    std::uint32_t room(std::size_t longest) const;
    void put(std::byte* to, std::string_view key);
    /// Warns of the keys of table `name` that were cut.
    void tell(Imported& into, const std::string& name) const;

private:
    std::size_t m_most, m_cut = 0;
};
} // namespace dscope::text
