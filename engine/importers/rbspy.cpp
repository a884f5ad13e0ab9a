#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/script_frames.h"
#include <optional>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

constexpr std::string_view kSummaryHeading = "% self  % total  name";

/// "block in run - /app/a.rb:12", "sleep [c function] - (unknown)": a frame of rbspy.
struct RbspyFrame {
    std::string_view name, file;
    std::uint32_t line = 0;
    bool isRuby = false; ///< the place says so
};

std::optional<RbspyFrame> rbspyFrame(std::string_view text)
{
    const auto dash = text.rfind(" - ");
    if (dash == text.npos || dash == 0 || dash + 3 == text.size()) return {};
    RbspyFrame frame{.name = text.substr(0, dash), .file = text.substr(dash + 3)};
    const auto colon = frame.file.rfind(':');
    if (colon != frame.file.npos && text::isDigits(frame.file.substr(colon + 1))) {
        frame.line = text::sourceLine(frame.file.substr(colon + 1));
        frame.file = frame.file.substr(0, colon);
    }
    frame.isRuby = frame.file == "(unknown)" || frame.file.ends_with(".rb") || frame.line > 0;
    if (frame.file == "(unknown)") frame.file = {};
    return frame;
}

/// "main - a.rb:1;leaf - a.rb:2 12", of rbspy record --format collapsed: the stack and the count; an empty stack: it is no such line.
std::pair<std::string_view, std::int64_t> rbspyLine(std::string_view line)
{
    const auto blank = line.rfind(' ');
    if (blank == line.npos || blank == 0 || !text::isDigits(line.substr(blank + 1))) return {};
    const auto count = text::integer(line.substr(blank + 1));
    if (!count || *count <= 0) return {};
    return {line.substr(0, blank), *count};
}

/// " 40.00    60.00  leaf - a.rb:3" of --format summary: hundredths of a percent that the function took itself, and its frame.
std::pair<std::string_view, std::int64_t> summaryRow(std::string_view line)
{
    line = trimmed(line);
    const auto end = line.find(' ');
    const auto own = end == line.npos ? std::nullopt : text::scaledNumber(line.substr(0, end), 2);
    const auto rest = trimmed(line.substr(std::min(end, line.size())));
    const auto totalEnd = rest.find(' ');
    if (!own || *own < 0 || totalEnd == rest.npos || !text::scaledNumber(rest.substr(0, totalEnd), 2)) return {};
    return {trimmed(rest.substr(totalEnd)), *own};
}

/// Text of rbspy: collapsed stacks, or its summary. Source: github.com/rbspy/rbspy, src/ui/flamegraph.rs and src/ui/summary.rs
class RbspyReader {
public:
    explicit RbspyReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (trimmed(line).empty()) return;
        if (line == kSummaryHeading || line.starts_with("Summary of profiling data")) {
            m_isSummary = true;
            return;
        }
        auto [stack, count] = m_isSummary ? summaryRow(line) : rbspyLine(line);
        if (stack.empty()) return m_out.misunderstand(number, line);
        if (m_isSummary) {
            m_stacks.frame(numberOf(stack));
        } else {
            for (std::size_t depth = 0; !stack.empty() && depth < kDeepest; ++depth)
                m_stacks.frame(numberOf(takeFrame(stack)));
            if (!stack.empty()) ++m_cut;
        }
        m_stacks.add(count);
    }

    bool empty() const { return m_stacks.empty(); }

    void put()
    {
        if (m_isSummary)
            m_out.warn("a summary of rbspy has no stacks: it shows what each function took itself (--format collapsed has stacks)");
        if (m_cut > 0) m_out.warn("stacks of more than " + std::to_string(kDeepest) + " frames are cut: " + std::to_string(m_cut));
        m_out.add(m_isSummary ? m_stacks.take("percent", record::StackUnit::Count, -2) : m_stacks.take("samples"));
    }

    static std::string_view takeFrame(std::string_view& stack)
    {
        const auto end = stack.find(';');
        const auto frame = stack.substr(0, end);
        stack.remove_prefix(end == stack.npos ? stack.size() : end + 1);
        return frame;
    }

private:
    std::uint32_t numberOf(std::string_view word)
    {
        const auto frame = rbspyFrame(word);
        return m_stacks.numberOf(frame ? text::scriptFrame(frame->name, frame->file, frame->line) : text::StackCounts::Frame{.name = word});
    }

    static constexpr std::size_t kDeepest = 65'536;
    text::Imported& m_out;
    text::StackCounts m_stacks;
    bool m_isSummary = false;
    std::size_t m_cut = 0;
};

class Rbspy final : public text::Importer {
public:
    std::string_view name() const override { return "rbspy"; }
    std::string_view summary() const override { return "stacks of Ruby by rbspy, its format collapsed, and its summary"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        std::size_t frames = 0, ruby = 0, bad = 0;
        for (int i = 0; i < 200 && lines.next(line); ++i) {
            if (line == kSummaryHeading) return Guess::Yes;
            auto [stack, count] = rbspyLine(line);
            if (stack.empty()) bad += !trimmed(line).empty();
            while (!stack.empty()) {
                const auto frame = rbspyFrame(RbspyReader::takeFrame(stack));
                ++frames;
                ruby += frame && frame->isRuby;
            }
        }
        return ruby > 0 && ruby * 5 > frames * 4 && bad == 0 ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        RbspyReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty()) return out.nothing("there is no stack in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_rbspy() { return std::make_unique<Rbspy>(); }
} // namespace dscope::importers
