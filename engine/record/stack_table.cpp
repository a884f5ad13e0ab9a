#include "engine/record/stack_table.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
namespace dscope::record {
namespace {
constexpr std::size_t kLeastSlots = 32;

std::uint64_t hashOfNode(std::uint32_t caller, std::uint32_t frame)
{
    const auto mixed = (std::uint64_t{caller} << 32 | frame) * 0x9E3779B97F4A7C15U;
    return mixed ^ mixed >> 32U;
}

/// "module`name" and a letter for what the frame is, in three pieces.
struct Spelling {
    explicit Spelling(const NamedFrame& frame)
        : pieces{frame.module, frame.module.empty() ? std::string_view() : std::string_view("`"), frame.name}
    {
    }
    std::array<std::string_view, 3> pieces;
};
int compare(const Spelling& a, const Spelling& b)
{
    std::size_t i = 0, k = 0;
    auto left = a.pieces[0], right = b.pieces[0];
    for (;;) {
        while (left.empty() && i + 1 < a.pieces.size())
            left = a.pieces[++i];
        while (right.empty() && k + 1 < b.pieces.size())
            right = b.pieces[++k];
        const auto common = std::min(left.size(), right.size());
        if (common == 0) return left.empty() && right.empty() ? 0 : left.empty() ? -1 : 1;
        if (const auto order = left.substr(0, common).compare(right.substr(0, common)); order != 0) return order;
        left.remove_prefix(common);
        right.remove_prefix(common);
    }
}
} // namespace

bool standsBefore(const NamedFrame& a, const NamedFrame& b)
{
    if (const auto order = compare(Spelling(a), Spelling(b)); order != 0) return order < 0;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.inlined != b.inlined) return b.inlined;
    if (const auto order = a.file.compare(b.file); order != 0) return order < 0;
    if (a.line != b.line) return a.line < b.line;
    return a.module.size() < b.module.size();
}

NamedFrame StackTable::frame(std::uint32_t number) const
{
    const auto& row = m_frames[number];
    return {m_texts.text(row.name), row.kind, row.inlined, m_texts.text(row.module), m_texts.text(row.file), row.line};
}

std::vector<std::uint32_t> StackTable::framesOf(std::uint32_t node) const
{
    std::vector<std::uint32_t> frames;
    for (; node != kRoot; node = m_nodes[node].caller)
        frames.push_back(m_nodes[node].frame);
    std::reverse(frames.begin(), frames.end());
    return frames;
}

bool StackTable::operator==(const StackTable& o) const
{
    if (m_nodes.size() != o.m_nodes.size()) return false;
    for (std::size_t i = 1; i < m_nodes.size(); ++i)
        if (m_nodes[i].caller != o.m_nodes[i].caller || frame(m_nodes[i].frame) != o.frame(o.m_nodes[i].frame)) return false;
    return true;
}

StackTableBuilder::StackTableBuilder()
{
    m_texts.of({}); // 0 is no text
    m_nodes.push_back({});
    m_callee.push_back(0);
}

std::uint32_t StackTableBuilder::frame(const NamedFrame& frame)
{
    const StackTable::Row row{
        m_texts.of(frame.name), m_texts.of(frame.module), m_texts.of(frame.file), frame.line, frame.kind, frame.inlined};
    const std::array<std::uint32_t, 5> key{
        row.name, row.module, row.file, row.line, static_cast<std::uint32_t>(row.kind) << 1U | (row.inlined ? 1U : 0U)};
    const auto number = m_keys.of({reinterpret_cast<const char*>(key.data()), sizeof key});
    if (number == m_rows.size()) m_rows.push_back(row);
    return number;
}

NamedFrame StackTableBuilder::frameAt(std::uint32_t number) const
{
    const auto& row = m_rows[number];
    return {m_texts.text(row.name), row.kind, row.inlined, m_texts.text(row.module), m_texts.text(row.file), row.line};
}

std::uint32_t StackTableBuilder::add(std::uint32_t caller, std::uint32_t frame)
{
    m_nodes.push_back({caller, frame});
    m_callee.push_back(0);
    return size() - 1;
}

/// Most nodes call one other alone, which then stands next to them: only where there are several is a table searched.
std::uint32_t StackTableBuilder::below(std::uint32_t caller, std::uint32_t frame)
{
    const auto callee = m_callee[caller];
    if (callee == 0) {
        m_callee[caller] = size();
        return add(caller, frame);
    }
    if (callee != kSeveral) {
        if (m_nodes[callee].frame == frame) return callee;
        putInSlots(callee);
        m_callee[caller] = kSeveral;
    }
    if (!m_slots.empty())
        if (const auto known = m_slots[slotOf(caller, frame)]; known != 0) return known;
    const auto node = add(caller, frame);
    putInSlots(node);
    return node;
}

/// Where a node is among the slots, or the free one where it belongs.
std::size_t StackTableBuilder::slotOf(std::uint32_t caller, std::uint32_t frame) const
{
    const auto mask = m_slots.size() - 1;
    auto at = hashOfNode(caller, frame) & mask;
    while (m_slots[at] != 0 && m_nodes[m_slots[at]] != StackTable::Node{caller, frame})
        at = (at + 1) & mask;
    return at;
}

void StackTableBuilder::putInSlots(std::uint32_t node)
{
    if (3 * (m_inSlots + 1) > 2 * m_slots.size()) grow();
    m_slots[slotOf(m_nodes[node].caller, m_nodes[node].frame)] = node;
    ++m_inSlots;
}

void StackTableBuilder::grow()
{
    const auto before = std::exchange(m_slots, std::vector<std::uint32_t>(std::max(kLeastSlots, 2 * m_slots.size())));
    for (const auto node : before)
        if (node != 0) m_slots[slotOf(m_nodes[node].caller, m_nodes[node].frame)] = node;
}

/// The frames' places among all, by number.
std::vector<std::uint32_t> StackTableBuilder::ranks() const
{
    std::vector<std::uint32_t> order(m_rows.size()), ranks(m_rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return standsBefore(frameAt(a), frameAt(b)); });
    for (std::uint32_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

StackTableBuilder::Ordered StackTableBuilder::ordered()
{
    m_slots = {};
    m_callee = {};
    const auto count = size();
    std::vector<std::uint32_t> place(count), sizes(count, 1);
    for (auto i = count - 1; i > 0; --i)
        sizes[m_nodes[i].caller] += sizes[i]; // callers come before what they call
    {
        // What a node calls: the first one, and behind each the next one. Most call one alone.
        std::vector<std::uint32_t> first(count), next(count), callees;
        for (auto i = count - 1; i > 0; --i) {
            next[i] = first[m_nodes[i].caller];
            first[m_nodes[i].caller] = i;
        }
        const auto rank = ranks();
        for (std::uint32_t i = 0; i < count; ++i) {
            callees.clear();
            for (auto callee = first[i]; callee != 0; callee = next[callee])
                callees.push_back(callee);
            if (callees.size() > 1)
                std::sort(callees.begin(), callees.end(),
                    [&](auto one, auto other) { return rank[m_nodes[one].frame] < rank[m_nodes[other].frame]; });
            auto at = place[i] + 1;
            for (const auto callee : callees) {
                place[callee] = at;
                at += sizes[callee];
            }
        }
    }
    sizes = {};

    const auto table = std::make_shared<StackTable>();
    table->m_nodes.resize(count);
    for (std::uint32_t i = 1; i < count; ++i)
        table->m_nodes[place[i]] = {place[m_nodes[i].caller], m_nodes[i].frame};
    table->m_tellsLines = std::any_of(m_rows.begin(), m_rows.end(), [](const auto& row) { return row.line != 0; });
    table->m_frames = std::move(m_rows);
    table->m_texts = std::move(m_texts);
    *this = {};
    return {table, std::move(place)};
}

std::shared_ptr<const StackTable> StackTableBuilder::inOrder(std::span<const NamedFrame> frames, std::vector<StackTable::Node> nodes)
{
    StackTableBuilder builder;
    for (const auto& frame : frames)
        builder.frame(frame);
    if (builder.frameCount() != frames.size() || nodes.empty()) return nullptr;
    const auto rank = builder.ranks();
    std::vector<std::uint32_t> path{StackTable::kRoot};           // nodes from the root to the one before
    std::vector<std::uint32_t> last(1, StackTable::Node{}.frame); // by depth: rank and 1 of the latest child of that node; 0: none
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        if (nodes[i].frame >= frames.size()) return nullptr;
        while (!path.empty() && path.back() != nodes[i].caller) {
            path.pop_back();
            last.pop_back();
        }
        if (path.empty() || rank[nodes[i].frame] + 1 <= last.back()) return nullptr;
        last.back() = rank[nodes[i].frame] + 1;
        path.push_back(i);
        last.push_back(0);
    }
    const auto table = std::make_shared<StackTable>();
    table->m_nodes = std::move(nodes);
    table->m_tellsLines = std::any_of(builder.m_rows.begin(), builder.m_rows.end(), [](const auto& row) { return row.line != 0; });
    table->m_frames = std::move(builder.m_rows);
    table->m_texts = std::move(builder.m_texts);
    return table;
}
} // namespace dscope::record
