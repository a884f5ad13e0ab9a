#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/frame_rule.h"
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
namespace dscope::symbols {
struct FunctionEntry;
/// Unwind information of one file (.eh_frame or .debug_frame) as a sorted table of 8-byte rows: from which address on,
/// which rule. Rules are few (libc: 28,000 rows, some hundred rules), so they are kept once each; a search per frame is
/// all that is left to do at run time. Not for several threads at once. Malformed entries are left out; nothing in the input makes this
/// fail or loop.
class FrameRows {
public:
    enum class Format : std::uint8_t { EhFrame, DebugFrame };
    struct Row {
        std::uint32_t pc = 0;   ///< of the first instruction, from base()
        std::uint32_t rule = 0; ///< index into rules()
    };
    /// One frame description entry: a function or a part of one (GCC's .cold).
    struct Function {
        std::uint32_t start = 0; ///< from base()
        std::uint32_t size = 0;
        bool signal = false; ///< a signal trampoline (augmentation 'S')
    };
    struct Section {
        ByteView bytes;
        std::uint64_t address = 0; ///< where it is linked for
        Format format = Format::EhFrame;
    };
    FrameRows() = default;
    /// Where sections tell of the same function, the first does: programs compiled without .eh_frame have one all the
    /// same, from the C library's start files.
    explicit FrameRows(std::span<const Section> sections, Architecture architecture = kOwnArchitecture);
    FrameRows(ByteView section, std::uint64_t address, Format format, Architecture architecture = kOwnArchitecture);
    /// Of some functions alone.
    explicit FrameRows(std::span<const FunctionEntry> functions);

    /// The rule at a linked address; null where none is known.
    const FrameRule* find(std::uint64_t address) const;
    struct Range {
        std::uint64_t start = 0, size = 0;
        bool signal = false;
    };
    /// The entry that covers a linked address; a signal trampoline's also covers the byte behind it, where the instruction pointer is
    /// at the entry of its system call.
    std::optional<Range> function(std::uint64_t address) const;
    ByteView expression(std::int32_t index) const { return m_expressions[static_cast<std::size_t>(index)]; }

    Architecture architecture() const { return m_architecture; } ///< of the code that they tell of
    bool empty() const { return m_rows.empty(); }
    std::uint64_t base() const { return m_base; }
    const std::vector<Row>& rows() const { return m_rows; }
    const std::vector<FrameRule>& rules() const { return m_rules; }
    const std::vector<Function>& functions() const { return m_functions; }
    const std::vector<Bytes>& expressions() const { return m_expressions; }
    std::size_t memory() const; ///< bytes, about

private:
    struct Parts;
    void assemble(Parts& parts);
    Architecture m_architecture = kOwnArchitecture;
    std::uint64_t m_base = 0;
    std::vector<Row> m_rows;           // by pc; gaps between functions have rules of kind None
    std::vector<FrameRule> m_rules;    // 0 is None
    std::vector<Function> m_functions; // by start, not overlapping
    std::vector<Bytes> m_expressions;
    static constexpr std::uint32_t kNoRule = 0xffffffff;
    mutable std::vector<Row> m_recent; // answers of find(), by hash of pc: samples come from the same few thousand places
};
} // namespace dscope::symbols
