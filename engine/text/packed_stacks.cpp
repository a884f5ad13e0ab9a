#include "engine/text/packed_stacks.h"
#include "engine/record/folded.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::text {
namespace {
constexpr std::string_view kNoStack = "[no stack]";

class PackedBytes {
public:
    explicit PackedBytes(std::string_view all) : m_left(all) { }

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

Result<record::CountedStacks> packedStacks(std::string_view all)
{
    const Error damaged{0, "the stacks in it are damaged"};
    if (all.empty() || static_cast<unsigned char>(all.front()) > static_cast<unsigned char>(record::StackUnit::Unknown)) return damaged;
    const auto unit = static_cast<record::StackUnit>(all.front());
    PackedBytes bytes(all.substr(1));
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

    record::StackTableBuilder builder;
    std::vector<std::uint32_t> numbers;
    for (const auto word : names)
        numbers.push_back(builder.frame(record::namedFrame(word)));
    std::vector<record::CountedStacks::Stack> stacks;
    const auto add = [&](std::uint32_t node, std::uint64_t value) {
        if (value > 0) stacks.push_back({node, static_cast<std::int64_t>(value)});
    };
    if (self[0] > 0) add(builder.below(record::StackTable::kRoot, builder.frame({.name = kNoStack})), self[0]);
    std::vector<std::uint32_t> path{record::StackTable::kRoot};
    for (std::size_t i = 1; i < *count; ++i) {
        if (back[i - 1] >= path.size()) return damaged;
        path.resize(path.size() - back[i - 1]);
        path.push_back(builder.below(path.back(), numbers[name[i]]));
        add(path.back(), self[i]);
    }
    auto ordered = builder.ordered();
    for (auto& stack : stacks)
        stack.node = ordered.numbers[stack.node];
    return record::CountedStacks{std::move(ordered.table),
        std::make_shared<const std::vector<record::CountedStacks::Stack>>(std::move(stacks)), std::string(*noun), unit};
}
} // namespace dscope::text
