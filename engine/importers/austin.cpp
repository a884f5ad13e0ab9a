#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include <algorithm>
#include <array>
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

constexpr std::string_view kAustinHeading = "# austin: ";

/// The word in front of the next separator, which is taken off `stack`.
std::string_view takeFrameWord(std::string_view& stack)
{
    const auto end = stack.find(';');
    const auto word = stack.substr(0, end);
    stack.remove_prefix(end == stack.npos ? stack.size() : end + 1);
    return word;
}

/// "P12", "Process 12": which process, as a version since 2 and those before write it. Empty: the word is none.
std::string_view austinProcess(std::string_view word)
{
    constexpr std::string_view kLong = "Process ";
    const auto digits = word.substr(word.starts_with(kLong) ? kLong.size() : word.starts_with('P') ? 1 : word.size());
    return text::isDigits(digits) ? digits : std::string_view();
}

/// "T0:0x7f01" (interpreter and thread), "T7f01", "Thread 5635b4f387f0"; as above.
std::string_view austinThread(std::string_view word)
{
    constexpr std::string_view kLong = "Thread ";
    const auto id = word.substr(word.starts_with(kLong) ? kLong.size() : word.starts_with('T') ? 1 : word.size());
    return id.find_first_not_of("0123456789abcdefABCDEFx:") == id.npos ? id : std::string_view();
}

/// What is measured at the end of a line: "101234"; "10096,0,61440" (time, whether idle, memory); "10132 0 0" (time, memory that was
/// taken and given back) of version 1.
struct AustinValues {
    std::size_t begin = 0; ///< of them in the line; 0: there are none
    std::array<std::int64_t, 3> values{};
    std::size_t count = 0;
};

AustinValues austinValues(std::string_view line)
{
    AustinValues out;
    auto begin = line.rfind(' ');
    if (begin == line.npos) return {};
    auto rest = line.substr(begin + 1);
    // Numbers apart by blanks: two more.
    for (int i = 0; i < 2 && rest.find(',') == rest.npos; ++i) {
        const auto before = line.rfind(' ', begin - 1);
        if (before == line.npos || before + 1 >= begin || !text::integer(line.substr(before + 1, begin - before - 1))) break;
        if (i == 1) rest = line.substr(before + 1), out.begin = before;
        begin = before;
    }
    if (out.begin == 0) out.begin = line.rfind(' ');
    for (; out.count < out.values.size(); ++out.count) {
        const auto end = rest.find_first_of(", ");
        const auto value = text::integer(rest.substr(0, end));
        if (!value) return {};
        out.values[out.count] = *value;
        if (end == rest.npos) break;
        rest.remove_prefix(end + 1);
    }
    if (out.count == out.values.size() || ++out.count == 2) return {};
    return out;
}

/// Whether a line is a sample of austin, by the process or the thread in front of its frames.
bool isAustinSample(std::string_view line)
{
    const auto values = austinValues(line);
    if (values.begin == 0) return false;
    auto stack = line.substr(0, values.begin);
    auto word = takeFrameWord(stack);
    const bool isLong = word.starts_with("Process ") || word.starts_with("Thread ");
    const bool hasProcess = !austinProcess(word).empty();
    if (hasProcess) word = takeFrameWord(stack);
    return !austinThread(word).empty() && (hasProcess || isLong);
}

/// What samples of one run are summed as.
class AustinStacks {
public:
    AustinStacks(std::string noun, record::StackUnit unit, int exponent) : m_noun(std::move(noun)), m_unit(unit), m_exponent(exponent) { }
    text::StackCounts& counts() { return m_counts; }
    void put(text::Imported& out)
    {
        if (!m_counts.empty()) out.add(m_counts.take(m_noun, m_unit, m_exponent));
    }

private:
    text::StackCounts m_counts;
    std::string m_noun;
    record::StackUnit m_unit;
    int m_exponent;
};

/// Austin's samples as text: "P12;T0:0x7f01;/app/a.py:main:3;/app/a.py:work:9 101234", in microseconds or bytes as "# mode: " says.
/// Source: github.com/P403n1x87/austin 3.7.0, src/argparse.c, src/events.h and src/logging.c; version 1.0.1 as Debian has it
class AustinReader {
public:
    explicit AustinReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.starts_with("# ")) return metadata(line.substr(2));
        if (trimmed(line).empty()) return;
        const auto values = austinValues(line);
        if (!isAustinSample(line)) return m_out.misunderstand(number, line);
        const auto stack = line.substr(0, values.begin);
        if (values.count == 1)
            one(stack, values.values[0]);
        else
            all(stack, values);
    }

    bool empty() { return m_samples == 0; }

    void put()
    {
        for (auto* each : {&m_wall, &m_cpu, &m_taken, &m_given})
            each->put(m_out);
        if (m_errors > 0) m_out.warn("austin says that " + std::to_string(m_errors) + " of its samples are invalid");
        if (m_below > 0) m_out.warn(text::counted(m_below, "sample has a time", "samples have times") + " below 0: left out");
        if (m_tooDeep > 0)
            m_out.warn("frames beyond " + std::to_string(kDeepest) + " of a stack are left out: " + std::to_string(m_tooDeep));
    }

private:
    void metadata(std::string_view text)
    {
        constexpr std::string_view kMode = "mode: ", kErrors = "errors: ";
        if (text.starts_with(kMode)) m_mode = text.substr(kMode.size());
        if (text.starts_with(kErrors)) m_errors = text::leadingInteger(text.substr(kErrors.size())).value_or(0);
    }

    void one(std::string_view stack, std::int64_t value)
    {
        if (m_mode == "memory") return memory(stack, value);
        add(m_mode == "cpu" ? m_cpu : m_wall, stack, value);
    }

    void all(std::string_view stack, const AustinValues& values)
    {
        const auto [time, second, third] = values.values;
        add(m_wall, stack, time);
        const bool isOld = stack.starts_with("Thread ") || stack.starts_with("Process ");
        if (!isOld && second == 0) add(m_cpu, stack, time);
        memory(stack, isOld ? second : third);
        if (isOld) memory(stack, third > 0 ? -third : third);
    }

    void memory(std::string_view stack, std::int64_t bytes)
    {
        if (bytes == INT64_MIN) bytes = -INT64_MAX;
        add(bytes < 0 ? m_given : m_taken, stack, bytes < 0 ? -bytes : bytes);
    }

    void add(AustinStacks& to, std::string_view stack, std::int64_t value)
    {
        ++m_samples;
        m_below += value < 0 ? 1 : 0;
        if (value <= 0) return;
        auto& counts = to.counts();
        auto word = takeFrameWord(stack);
        if (const auto process = austinProcess(word); !process.empty()) {
            counts.frame("pid " + std::string(process));
            word = takeFrameWord(stack);
        }
        counts.frame("thread " + std::string(austinThread(word)));
        for (std::size_t depth = 0; !stack.empty(); ++depth) {
            if (depth >= kDeepest) {
                ++m_tooDeep;
                break;
            }
            word = takeFrameWord(stack);
            counts.frame(frame(counts, word, stack));
        }
        counts.add(value);
    }

    /// The number of a frame. `rest`: what follows it; version 1 has its line there, "L12".
    static std::uint32_t frame(text::StackCounts& counts, std::string_view word, std::string_view& rest)
    {
        if (word == ":GC:") return counts.numberOf({.name = "(garbage collector)"});
        if (word == ":INVALID:") return counts.numberOf({.name = "[invalid]"});
        if (const auto open = text::lastBrackets(word); open != word.npos && open > 0) {
            auto file = word.substr(open + 2, word.size() - open - 3);
            std::uint32_t line = 0;
            if (const auto colon = file.rfind(':'); colon != file.npos && text::isDigits(file.substr(colon + 1))) {
                line = text::sourceLine(file.substr(colon + 1));
                file = file.substr(0, colon);
            } else if (const auto next = rest.substr(0, rest.find(';')); next.starts_with('L') && text::isDigits(next.substr(1))) {
                line = text::sourceLine(next.substr(1));
                takeFrameWord(rest);
            }
            return counts.numberOf(text::scriptFrame(word.substr(0, open), file, line));
        }

        const auto number = word.rfind(':');
        const auto colon = number == word.npos || number == 0 ? word.npos : word.rfind(':', number - 1);
        if (colon == word.npos || colon == 0) return counts.numberOf({.name = word});
        const auto file = word.substr(0, colon), name = word.substr(colon + 1, number - colon - 1);
        if (file == "kernel") return counts.numberOf({.name = name, .kind = record::Frame::Kind::Kernel});
        return counts.numberOf(text::austinFrame(name, file, text::sourceLine(word.substr(number + 1))));
    }

    static constexpr std::size_t kDeepest = 65'536;
    static constexpr int kMicroseconds = 3; ///< as a power of ten of ns
    text::Imported& m_out;
    std::string m_mode = "wall";
    AustinStacks m_wall{"wall", record::StackUnit::Time, kMicroseconds},
        m_cpu{std::string(record::kCpuTime), record::StackUnit::Time, kMicroseconds},
        m_taken{"bytes allocated", record::StackUnit::Bytes, 0}, m_given{"bytes released", record::StackUnit::Bytes, 0};
    std::size_t m_samples = 0, m_tooDeep = 0, m_below = 0;
    std::int64_t m_errors = 0;
};

class Austin final : public text::Importer {
public:
    std::string_view name() const override { return "austin"; }
    std::string_view summary() const override { return "samples of Python by austin, as text; its binary files are mojo"; }

    Guess guess(std::string_view head) const override
    {
        if (head.starts_with(kAustinHeading)) return Guess::Yes;
        text::Lines lines(head);
        std::string_view line;
        std::size_t good = 0, bad = 0, withFrames = 0;
        while (good + bad < 50 && lines.next(line)) {
            if (trimmed(line).empty() || line.starts_with("# ")) continue;
            (isAustinSample(line) ? good : bad) += 1;
            withFrames += line.starts_with('P') || line.find(" (") != line.npos;
        }
        return withFrames > 0 && bad <= good / 10 ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        AustinReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty()) return out.nothing("there is no sample in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_austin() { return std::make_unique<Austin>(); }
} // namespace dscope::importers
