#include "engine/text/count_tree.h"
#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include <algorithm>
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "    +   ! 848 _pthread_wqthread  (in libsystem_pthread.dylib) + 13  [0x7fff8a477fb9]": where the count stands, and what is behind it.
struct SampleLine {
    std::size_t column = 0;
    std::int64_t count = 0;
    std::string_view rest;
};

std::optional<SampleLine> sampleLine(std::string_view line)
{
    if (!line.starts_with("    ")) return {};
    const auto begin = line.find_first_not_of(" +!:|");
    const auto end = begin == line.npos ? line.npos : line.find_first_not_of(text::kDigits, begin);
    if (end == line.npos || end == begin || line[end] != ' ') return {};
    const auto count = text::integer(line.substr(begin, end - begin));
    const auto rest = trimmed(line.substr(end));
    if (!count || rest.empty()) return {};
    return SampleLine{begin, *count, rest};
}

/// "main  (in app) + 23  [0x104001234]  main.c:12", "???  (in app)  load address 0x104000000 + 0x1234  [0x104001234]".
struct SampleFrame {
    std::string_view name, module, file;
    std::uint32_t line = 0;
};

/// Where the parenthesis closes that opens at `open`; npos: nowhere.
std::size_t closing(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (auto i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i;
    }
    return text.npos;
}

SampleFrame sampleFrame(std::string_view text)
{
    SampleFrame frame;
    const auto address = text.rfind("  [0x");
    if (const auto end = text.find(']', std::min(address, text.size())); end != text.npos) {
        const auto place = trimmed(text.substr(end + 1));
        const auto colon = place.rfind(':');
        if (colon != place.npos) frame.line = text::sourceLine(place.substr(colon + 1));
        if (frame.line > 0) frame.file = place.substr(0, colon);
        text = trimmed(text.substr(0, address));
    }

    const auto in = text.rfind("  (in ");
    const auto close = in == text.npos ? in : closing(text, in + 2);
    if (close == text.npos) {
        frame.name = text;
        return frame;
    }
    frame.name = trimmed(text.substr(0, in));
    frame.module = text.substr(in + 6, close - in - 6);
    frame.module = frame.module.substr(frame.module.rfind('/') + 1); // sample -fullPaths
    return frame;
}

/// Without doubled blanks: "Thread_1447670   DispatchQueue_1: com.apple.main-thread  (serial)".
std::string withSingleBlanks(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' || !out.ends_with(' ')) out += c;
    return out;
}

/// What macOS' sample and the Activity Monitor write: a tree of calls for each thread. Source: sample(1)
class SampleReader {
public:
    explicit SampleReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.starts_with("Call graph:")) {
            m_tree.end();
            m_inTree = true;
            return;
        }
        if (!m_inTree) { // what was sampled, and sums of the same samples
            if (m_firstNumber == 0 && !trimmed(line).empty()) m_firstNumber = number, m_firstLine = line;
            return;
        }
        if (line.starts_with("Total number in stack") || line.starts_with("Sort by top of stack") || line.starts_with("Binary Images:")) {
            m_tree.end();
            m_inTree = false;
            return;
        }
        if (trimmed(line).empty()) return;
        const auto parsed = sampleLine(line);
        if (!parsed) return m_out.misunderstand(number, line);
        const bool isThread = parsed->column == kThreadColumn;
        const auto frame = isThread ? m_stacks.numberOf({.name = withSingleBlanks(parsed->rest)}) : frameOf(parsed->rest);
        if (!m_tree.add(parsed->column, frame, parsed->count)) ++m_tooDeep;
    }

    void finish()
    {
        m_tree.end();
        if (m_stacks.empty() && m_firstNumber > 0) m_out.misunderstand(m_firstNumber, m_firstLine);
        if (m_tooDeep > 0) m_out.warn("calls that are nested too deep are left out: " + std::to_string(m_tooDeep) + " lines");
        if (m_tree.wrong() > 0) m_out.warn("calls with fewer samples than what they call: " + std::to_string(m_tree.wrong()));
    }
    bool empty() const { return m_stacks.empty(); }
    text::TakenStacks take() { return m_stacks.take("samples"); }

private:
    std::uint32_t frameOf(std::string_view text)
    {
        const auto frame = sampleFrame(text);
        if (frame.name == "???" && !frame.module.empty()) return m_stacks.numberOf({.name = '[' + std::string(frame.module) + ']'});
        return m_stacks.numberOf(
            {.name = text::withoutParameters(frame.name), .module = frame.module, .file = frame.file, .line = frame.line});
    }

    static constexpr std::size_t kThreadColumn = 4;
    text::Imported& m_out;
    text::StackCounts m_stacks;
    text::CountTree m_tree{m_stacks};
    bool m_inTree = false;
    std::size_t m_tooDeep = 0;
    std::size_t m_firstNumber = 0; ///< of the first line that is in no tree
    std::string m_firstLine;
};

class Sample final : public text::Importer {
public:
    std::string_view name() const override { return "sample"; }
    std::string_view summary() const override
    {
        return "what macOS' sample writes, which is also the Activity Monitor's: samples of each thread";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool inTree = false;
        for (int i = 0; i < 20'000 && lines.next(line); ++i) {
            const auto parsed = inTree ? sampleLine(line) : std::nullopt;
            if (parsed && parsed->rest.starts_with("Thread_")) return Guess::Yes;
            if (!trimmed(line).empty()) inTree = line.starts_with("Call graph:");
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        SampleReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (reader.empty()) return out.nothing("there is no call graph in it");
        out.add(reader.take());
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_sample() { return std::make_unique<Sample>(); }
} // namespace dscope::importers
