#include "engine/text/packed_stacks.h"
#include "engine/record/folded.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::text {
namespace {
constexpr std::string_view kNoStack = "[no stack]";

class Bytes {
public:
    explicit Bytes(std::string_view all) : m_left(all) { }

    std::optional<std::uint64_t> number() // LEB128
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !m_left.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_left.front());
            m_left.remove_prefix(1);
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
        return std::nullopt;
    }

    /// A number of things of which each takes a byte at least.
    std::optional<std::size_t> count()
    {
        const auto value = number();
        return value && *value <= m_left.size() ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt;
    }

    std::optional<std::string_view> text()
    {
        const auto size = count();
        if (!size) return std::nullopt;
        const auto text = m_left.substr(0, *size);
        m_left.remove_prefix(*size);
        return text;
    }

    /// `count` numbers, each less than `limit`.
    bool column(std::vector<std::uint64_t>& out, std::size_t count, std::uint64_t limit)
    {
        out.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = number();
            if (!value || *value >= limit) return false;
            out.push_back(*value);
        }
        return true;
    }

private:
    std::string_view m_left;
};
} // namespace

Result<record::FoldedStacks> packedStacks(std::string_view all, std::size_t most)
{
    const Error damaged{0, "the stacks in it are damaged"};
    if (all.empty() || static_cast<unsigned char>(all.front()) > static_cast<unsigned char>(record::StackUnit::Unknown)) return damaged;
    const auto unit = static_cast<record::StackUnit>(all.front());
    Bytes bytes(all.substr(1));
    const auto noun = bytes.text();
    const auto frames = bytes.count();
    if (!noun || !frames) return damaged;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < *frames; ++i) {
        const auto name = bytes.text();
        if (!name || !bytes.number()) return damaged;
        names.push_back(*name);
    }

    const auto count = bytes.count();
    if (!count || *count == 0) return damaged;
    std::vector<std::uint64_t> name, back, self;
    if (!bytes.column(name, *count, names.size()) || !bytes.column(back, *count - 1, *count)
        || !bytes.column(self, *count, std::uint64_t{1} << 63))
        return damaged;

    const auto texts = std::make_shared<std::deque<std::string>>();
    std::vector<record::FoldedLines::Line> lines;
    const auto add = [&](std::string_view stack, std::uint64_t value) {
        if (value > 0) lines.push_back({texts->emplace_back(stack), static_cast<std::int64_t>(value)});
    };

    std::string path;
    std::vector<std::size_t> ends{0}; // of the path, by depth
    std::size_t size = 0;
    add(kNoStack, self[0]);
    for (std::size_t i = 1; i < *count; ++i) {
        if (back[i - 1] >= ends.size()) return damaged;
        ends.resize(ends.size() - back[i - 1]);
        path.resize(ends.back());
        record::appendFrame(path, names[name[i]]);
        ends.push_back(path.size());
        if (self[i] > 0) size += path.size();
        if (size > most || path.size() > most) return Error{0, "the stacks in it are larger than any figure's"};
        add(path, self[i]);
    }
    return record::FoldedStacks{record::FoldedLines(std::move(lines), texts), std::string(*noun), unit};
}
} // namespace dscope::text
