#pragma once
#include "engine/symbols/dwarf_reader.h"
#include "engine/symbols/frame_rows.h"
#include <map>
#include <vector>
namespace dscope::symbols {
/// What the frame description entries of one function group have in common (CIE).
struct CommonEntry {
    std::uint64_t codeFactor = 1;
    std::int64_t dataFactor = 1;
    std::uint64_t returnColumn = 16;
    std::uint8_t pointerEncoding = 0;
    bool augmented = false; ///< entries carry an augmentation length
    bool signal = false;
    ByteView program;
};
/// One function's entry (FDE).
struct FunctionEntry {
    const CommonEntry* common = nullptr;
    std::uint64_t start = 0, size = 0;
    ByteView program;
};
/// The entries of a section in its order. Malformed ones, and those whose common entry is, are left out.
class CfiEntries {
public:
    CfiEntries(ByteView section, std::uint64_t address, FrameRows::Format format);
    const std::vector<FunctionEntry>& functions() const { return m_functions; }

private:
    std::map<std::size_t, CommonEntry> m_common; // by offset in the section
    std::vector<FunctionEntry> m_functions;
};
} // namespace dscope::symbols
