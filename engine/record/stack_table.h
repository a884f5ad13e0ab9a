#pragma once
#include "engine/base/interned.h"
#include "engine/record/frame_list.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>
/// The stacks that another tool counted: typed frames, and weights that are whole numbers.
namespace dscope::record {
/// A frame as another tool told it. What it is are facts beside its name: no mark, module or offset is part of that.
struct NamedFrame {
    std::string_view name; ///< of the function, or "[unknown]"
    Frame::Kind kind = Frame::Kind::Unknown;
    bool inlined = false;         ///< into the frame before it, its caller
    std::string_view module = {}; ///< file name of the program or library; empty: unknown
    std::string_view file = {};   ///< of the source; empty: unknown
    std::uint32_t line = 0;       ///< of `file`, from 1; 0: unknown
    bool operator==(const NamedFrame&) const = default;
};

/// Stacks as a tree: each different frame and each different path from the root once. It never changes; copies of records share it.
/// Nodes are in preorder, so what is below a node follows it; siblings are in the order of their frames as folded text spells them.
class StackTable {
public:
    struct Node {
        std::uint32_t caller = 0; ///< number of the node that called it, less than its own
        std::uint32_t frame = 0;  ///< number of its frame
        bool operator==(const Node&) const = default;
    };
    static constexpr std::uint32_t kRoot = 0; ///< the node of no frame: the outermost frames are called by it, and it by itself
    /// A frame by the numbers of its texts.
    struct Row {
        std::uint32_t name = 0, module = 0, file = 0, line = 0;
        Frame::Kind kind = Frame::Kind::Unknown;
        bool inlined = false;
        bool operator==(const Row&) const = default;
    };

    std::span<const Node> nodes() const { return m_nodes; } ///< at least the root
    std::uint32_t frameCount() const { return static_cast<std::uint32_t>(m_frames.size()); }
    NamedFrame frame(std::uint32_t number) const;
    std::span<const Row> rows() const { return m_frames; }
    std::uint32_t textCount() const { return m_texts.size(); }
    std::string_view text(std::uint32_t number) const { return m_texts.text(number); }
    /// Whether the line of any frame is known.
    bool tellsLines() const { return m_tellsLines; }
    /// The frames from the root to `node`, which may be the root: then there are none.
    std::vector<std::uint32_t> framesOf(std::uint32_t node) const;
    /// Whether each node has the same frame and caller.
    bool operator==(const StackTable& o) const;

private:
    friend class StackTableBuilder;
    Interned m_texts;
    std::vector<Row> m_frames;
    std::vector<Node> m_nodes;
    bool m_tellsLines = false;
};

/// Grows a StackTable. A node has a number from when it comes; ordered() gives it another one.
class StackTableBuilder {
public:
    StackTableBuilder();
    /// The number of a frame, from 0 in the order of their coming.
    std::uint32_t frame(const NamedFrame& frame);
    /// The node that `frame` is below `caller`.
    std::uint32_t below(std::uint32_t caller, std::uint32_t frame);
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); } ///< nodes, the root among them
    std::uint32_t frameCount() const { return static_cast<std::uint32_t>(m_rows.size()); }
    NamedFrame frameAt(std::uint32_t number) const;
    struct Ordered {
        std::shared_ptr<const StackTable> table;
        std::vector<std::uint32_t> numbers; ///< in it, by the number that below() gave
    };
    /// The builder is empty afterwards.
    Ordered ordered();
    /// A table whose nodes are in order already, as a recording has it. Null: they are not.
    static std::shared_ptr<const StackTable> inOrder(std::span<const NamedFrame> frames, std::vector<StackTable::Node> nodes);

private:
    std::uint32_t add(std::uint32_t caller, std::uint32_t frame);
    std::size_t slotOf(std::uint32_t caller, std::uint32_t frame) const;
    void putInSlots(std::uint32_t node);
    void grow();
    std::vector<std::uint32_t> ranks() const;
    Interned m_texts, m_keys; ///< m_keys: the bytes of rows
    std::vector<StackTable::Row> m_rows;
    std::vector<StackTable::Node> m_nodes;
    static constexpr std::uint32_t kSeveral = UINT32_MAX;
    std::vector<std::uint32_t> m_callee; ///< by node, the only one that it calls; 0: none; kSeveral: they are in m_slots
    std::vector<std::uint32_t> m_slots;  ///< nodes whose caller calls several, by caller and frame, open addressing; 0: free
    std::size_t m_inSlots = 0;
};

/// Whether `a` stands before `b` among callees: by module and name as folded text spells them, then by file and line.
bool standsBefore(const NamedFrame& a, const NamedFrame& b);
} // namespace dscope::record
