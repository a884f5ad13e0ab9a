#include "engine/record/folded.h"
#include "engine/text/importer.h"
#include "engine/text/kept_text.h"
namespace dscope::importers {
namespace {
using text::Guess;

constexpr std::int64_t kTooLarge = -1; ///< instead of a value that 64 bits do not hold

/// "stack value": the value behind the last blank, a whole number (a fraction is cut). 0: not such a line.
record::FoldedLines::Line lineOf(std::string_view line)
{
    const auto* const begin = line.data();
    const auto* end = begin + line.size();
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    const auto* at = end;
    while (at > begin && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == '.'))
        --at;
    std::int64_t value = 0;
    const auto* p = at;
    for (; p < end && *p != '.'; ++p) {
        if (value == kTooLarge || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value))
            value = kTooLarge;
    }
    if (at == end || at == begin || at[-1] != ' ') return {};
    // heaptrack 1.4 writes a separator behind the last frame, Excimer 1.0.4 one before the first: no frame is there.
    std::string_view stack(begin, static_cast<std::size_t>(at - 1 - begin));
    while (stack.starts_with(record::kFrameSeparator))
        stack.remove_prefix(1);
    while (stack.ends_with(record::kFrameSeparator))
        stack.remove_suffix(1);
    if (stack.empty()) return {};
    return {stack, value};
}

class Folded final : public text::Importer {
public:
    std::string_view name() const override { return "folded"; }
    std::string_view summary() const override { return "stacks, a line each: frames from the root joined by ';', a blank, a number"; }
    bool pointsIntoText() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        std::size_t good = 0, deep = 0, bad = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (line.empty() || line.front() == '#') continue;
            const auto parsed = lineOf(line);
            const bool fits = parsed.value > 0 && line.front() != ' ' && line.front() != '\t' && line.find("]: ") == std::string_view::npos;
            (fits ? good : bad) += 1;
            deep += fits && parsed.stack.find(record::kFrameSeparator) != std::string_view::npos;
        }
        if (good == 0 || bad > good / 20 + 1) return Guess::No;
        return deep * 2 > good ? Guess::Yes : Guess::Unknown;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        std::vector<record::FoldedLines::Line> stacks;
        const auto kept = lines.lasting() ? nullptr : std::make_shared<text::KeptText>(lines.size());
        std::string_view line;
        std::int64_t room = INT64_MAX;
        stacks.reserve(static_cast<std::size_t>(lines.size() / 500));
        while (lines.next(line)) {
            auto parsed = lineOf(line);
            if (parsed.value == kTooLarge && line.front() != '#') {
                text::Imported at;
                at.misunderstand(lines.number(), line);
                return at.nothing("a number is larger than " + std::to_string(INT64_MAX));
            }
            if (parsed.value <= 0 || parsed.value > room) {
                if (!line.empty() && line.front() != '#' && !(line.ends_with(" 0"))) out.misunderstand(lines.number(), line);
                continue;
            }
            room -= parsed.value;
            if (kept) parsed.stack = kept->keep(parsed.stack);
            stacks.push_back(parsed);
        }

        if (stacks.empty()) return out.nothing("no line is a stack and a number");
        if (kept) kept->finish();
        out.add({record::FoldedLines(std::move(stacks), kept ? std::shared_ptr<const void>(kept) : lines.owner()), "samples"});
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_folded() { return std::make_unique<Folded>(); }
} // namespace dscope::importers
