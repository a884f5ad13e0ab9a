#include "engine/text/count_tree.h"
#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "  Thread 0xbb80c    DispatchQueue "com.apple.main-thread"(1)    1000 samples (1-1000)    priority 37"
bool isSpindumpThread(std::string_view line)
{
    return line.starts_with("  Thread 0x") && (line.find(" samples (") != line.npos || line.find(" sample (") != line.npos);
}

/// "Thread 0xbb80c", with its name or its queue: what is in front of how many samples there are.
std::string spindumpThreadName(std::string_view line)
{
    line = trimmed(line);
    auto end = line.find(" samples (");
    if (end == line.npos) end = line.find(" sample (");
    line = line.substr(0, end);
    line = line.substr(0, line.find_last_not_of(text::kDigits) + 1);
    std::string out;
    for (const char c : trimmed(line))
        if (c != ' ' || !out.ends_with(' ')) out += c;
    return out;
}

/// "    *1000  semaphore_wait_continue + 0 (kernel + 1353536) [0xffffff800034a740]": a star marks the kernel.
struct SpindumpFrame {
    std::size_t column = 0; ///< of the count
    std::int64_t count = 0;
    std::string_view name, module, file;
    std::uint32_t line = 0;
    bool isKernel = false;
};

/// Without " + 13" at its end.
std::string_view withoutSum(std::string_view text)
{
    const auto plus = text.rfind(" + ");
    return plus != text.npos && text::isDigits(text.substr(plus + 3)) ? text.substr(0, plus) : text;
}

/// "libsystem_pthread.dylib + 5085", "main.c:12,5 in app + 16160"
void readSpindumpPlace(std::string_view place, SpindumpFrame& frame)
{
    if (const auto in = place.rfind(" in "); in != place.npos) {
        auto source = place.substr(0, in);
        source = source.substr(0, source.rfind(','));
        const auto colon = source.rfind(':');
        if (colon != source.npos) frame.line = text::sourceLine(source.substr(colon + 1));
        if (frame.line > 0) frame.file = source.substr(0, colon);
        place = place.substr(in + 4);
    }
    frame.module = withoutSum(place);
}

std::optional<SpindumpFrame> spindumpFrame(std::string_view line)
{
    SpindumpFrame frame;
    auto begin = line.find_first_not_of(' ');
    if (begin == line.npos) return {};
    frame.isKernel = line[begin] == '*';
    begin += frame.isKernel;
    if (begin < 2) return {};
    const auto end = line.find_first_not_of(text::kDigits, begin);
    if (end == line.npos || end == begin || line[end] != ' ') return {};
    const auto count = text::integer(line.substr(begin, end - begin));
    auto rest = trimmed(line.substr(end));
    if (!count || rest.empty()) return {};
    frame.column = begin;
    frame.count = *count;

    const auto address = rest.find(" [0x");
    if (address != rest.npos) rest = trimmed(rest.substr(0, address));
    if (const auto open = rest.rfind(" ("); open != rest.npos && rest.ends_with(')') && rest.find(" + ", open) != rest.npos) {
        readSpindumpPlace(rest.substr(open + 2, rest.size() - open - 3), frame);
        rest = trimmed(rest.substr(0, open));
    }
    frame.name = withoutSum(rest);
    return frame;
}

/// What macOS' spindump writes: processes, their threads, and a tree of calls for each. Source: spindump(8)
class SpindumpReader {
public:
    explicit SpindumpReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (constexpr std::string_view kProcess = "Process: "; line.starts_with(kProcess)) {
            endThread();
            m_process = trimmed(line.substr(kProcess.size()));
        } else if (isSpindumpThread(line)) {
            endThread();
            m_inThread = true;
            addNode(0, m_stacks.numberOf({.name = m_process.empty() ? "[unknown]" : std::string_view(m_process)}), 0);
            addNode(1, m_stacks.numberOf({.name = spindumpThreadName(line)}), 0);
        } else if (trimmed(line).empty()) {
            endThread();
        } else if (m_inThread) {
            const auto frame = spindumpFrame(line);
            if (!frame) return m_out.misunderstand(number, line);
            addNode(frame->column, frameOf(*frame), frame->count);
        } else if (m_firstNumber == 0) { // what was sampled, and what each process has loaded
            m_firstNumber = number;
            m_firstLine = line;
        }
    }

    void finish()
    {
        endThread();
        if (m_stacks.empty() && m_firstNumber > 0) m_out.misunderstand(m_firstNumber, m_firstLine);
        if (m_tooDeep > 0) m_out.warn("calls that are nested too deep are left out: " + std::to_string(m_tooDeep) + " lines");
    }
    bool empty() const { return m_stacks.empty(); }
    text::TakenStacks take() { return m_stacks.take("samples"); }

private:
    void addNode(std::size_t column, std::uint32_t frame, std::int64_t count)
    {
        if (!m_tree.add(column, frame, count)) ++m_tooDeep;
    }

    void endThread()
    {
        m_tree.end();
        m_inThread = false;
    }

    std::uint32_t frameOf(const SpindumpFrame& frame)
    {
        const auto kind = frame.isKernel ? record::Frame::Kind::Kernel : record::Frame::Kind::Unknown;
        if (frame.name == "???" && !frame.module.empty())
            return m_stacks.numberOf({.name = '[' + std::string(frame.module) + ']', .kind = kind});
        return m_stacks.numberOf({.name = text::withoutParameters(frame.name),
            .kind = kind,
            .module = frame.isKernel ? std::string_view() : frame.module,
            .file = frame.file,
            .line = frame.line});
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    text::CountTree m_tree{m_stacks};
    std::string m_process;
    bool m_inThread = false;
    std::size_t m_tooDeep = 0;
    std::size_t m_firstNumber = 0; ///< of the first line that is of no thread
    std::string m_firstLine;
};

class Spindump final : public text::Importer {
public:
    std::string_view name() const override { return "spindump"; }
    std::string_view summary() const override { return "what macOS' spindump writes: samples of the threads of all processes"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterThread = false;
        for (int i = 0; i < 20'000 && lines.next(line); ++i) {
            if (afterThread && spindumpFrame(line)) return Guess::Yes;
            afterThread = isSpindumpThread(line);
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        SpindumpReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (reader.empty()) return out.nothing("there is no thread with samples in it");
        out.add(reader.take());
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_macos_spindump() { return std::make_unique<Spindump>(); }
} // namespace dscope::importers
