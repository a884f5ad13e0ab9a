#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include "engine/text/words.h"
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <utility>
namespace dscope::importers {
namespace {
constexpr std::string_view kMojoMark = "MOJ";
constexpr std::size_t kMostMojo = std::size_t{512} << 20; ///< bytes

/// Austin's binary format: events of a byte and what belongs to it, those of a sample behind the head of its stack. Numbers of texts and
/// frames are those of one process. Source: github.com/P403n1x87/austin, src/mojo.h, versions 1 to 3; and of version 4, which austin 4
/// writes, austin/format/mojo.py of github.com/P403n1x87/austin-python.
class MojoReader {
public:
    MojoReader(std::string_view bytes, text::Imported& out) : m_bytes(bytes), m_out(out) { }

    Result<> read()
    {
        m_at = kMojoMark.size();
        m_version = number().value_or(0);
        if (m_version < 1 || m_version > kNewest)
            return Error{0,
                "it is version " + std::to_string(m_version)
                    + " of austin's binary format, and versions 1 to 4 are read: make text of it with \"mojo2austin IN OUT\" (pip install "
                      "austin-python)"};
        while (m_at < m_bytes.size()) {
            const auto begin = m_at;
            const auto kind = static_cast<unsigned char>(m_bytes[m_at++]);
            if (event(kind)) {
                if (kind == kStack) DSCOPE_CHECK(check());
                continue;
            }
            if (m_at < m_bytes.size() || kind > last() || kind == 0)
                return text::Imported::nothing("it is damaged at byte " + std::to_string(begin) + ": there is no event", m_bytes, begin);
            m_out.warn("the file is cut at byte " + std::to_string(begin) + ": the last sample is left out");
            m_hasSample = false;
        }
        endSample();
        return check();
    }

    void put()
    {
        if (m_invalid > 0) m_out.warn("austin says that " + std::to_string(m_invalid) + " of its samples are invalid");
        if (m_left > 0)
            m_out.warn(text::counted(m_left, "frame is", "frames are") + " left out, of stacks deeper than " + std::to_string(kDeepest));
        if (m_unknown > 0)
            m_out.warn(text::counted(m_unknown, "frame has a number", "frames have numbers") + " that the file does not define");
        for (auto& measure : m_measures)
            if (!measure.stacks.empty()) m_out.add(measure.stacks.take(measure.noun, measure.unit, measure.exponent));
    }

private:
    static constexpr std::int64_t kNewest = 4, kRepeats = 4; ///< versions; since kRepeats samples repeat the callers of the one before
    static constexpr unsigned char kStack = 2, kRepeat = 13; ///< kinds of events
    static constexpr std::size_t kMeasures = 4;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kDeepest = 65'536, kMostNames = 2'000'000, kMostKept = 16'000'000;
    static constexpr std::size_t kOfThread = 10; ///< as much memory as so many frames
    enum Is : std::uint8_t { Wall, Cpu, Taken, Given };
    struct Measure {
        const char* noun;
        record::StackUnit unit = record::StackUnit::Bytes;
        int exponent = 0;
        text::StackCounts stacks{};
    };
    /// Its texts lie in the file: many frames name the same, which may be long.
    struct Frame {
        std::string_view name, file;
        std::uint32_t line = 0;
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool isNumbered = false; ///< samples name it by a number
        /// In the stacks of each measure, once it is in one: the texts of each frame are looked at once.
        std::array<std::uint32_t, kMeasures> numbers{kNone, kNone, kNone, kNone};
    };
    using Kind = record::Frame::Kind;
    using Frames = std::vector<std::shared_ptr<Frame>>;
    using Key = std::pair<std::int64_t, std::int64_t>; ///< a process and a number
    using Numbers = std::array<std::int64_t, 7>;       ///< of a frame: key, file, name, line; the line's end and columns since version 2
    /// A text or a frame that gets its number in front of the sample that uses it.
    struct Ahead {
        Numbers numbers{};
        std::optional<std::string_view> text; ///< nothing: a frame
    };

    unsigned char last() const { return m_version < kRepeats ? kRepeat - 1 : kRepeat; }

    Result<> check() const
    {
        if (m_strings.size() + m_named.size() + m_ahead.size() > kMostNames)
            return Error{0, "it names more than 2,000,000 texts and frames: record a shorter time"};
        if (m_kept + kOfThread * m_before.size() > kMostKept)
            return Error{0, "the last stacks of its threads take more memory than 16,000,000 frames: record a shorter time"};
        text::StackCounts::Cost cost;
        cost.given = m_repeated;
        for (const auto& measure : m_measures)
            cost += measure.stacks.cost();
        return cost.check();
    }

    /// Six bits, a sign and seven bits for each byte that follows. Austin writes values below 0 as unsigned ones of 64 bits, too.
    std::optional<std::int64_t> number()
    {
        if (m_at >= m_bytes.size()) return {};
        auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
        const bool isNegative = (byte & 0x40U) != 0;
        std::uint64_t value = byte & 0x3FU;
        for (unsigned shift = 6; (byte & 0x80U) != 0; shift += 7) {
            if (m_at >= m_bytes.size() || shift > 62) return {};
            byte = static_cast<unsigned char>(m_bytes[m_at++]);
            value |= std::uint64_t{byte & 0x7FU} << shift;
        }
        return static_cast<std::int64_t>(isNegative ? 0 - value : value);
    }
    std::optional<std::string_view> string()
    {
        const auto end = m_bytes.find('\0', m_at);
        if (end == m_bytes.npos) return m_at = m_bytes.size(), std::nullopt;
        const auto text = m_bytes.substr(m_at, end - m_at);
        m_at = end + 1;
        return text;
    }

    /// Reads one event. False: the file ends within it, or its kind is not known.
    bool event(unsigned char kind)
    {
        switch (kind) {
        case 1: return metadata();
        case kStack: return stack();
        case 3: return frame();
        case 4: return push({.name = "[invalid]", .file = {}});
        case 5: return frameRef();
        case 6: {
            const auto name = string();
            return name && push({*name, {}, 0, record::Frame::Kind::Kernel});
        }
        case 7: return m_isCollecting = true;
        case 8: return m_isIdle = true;
        case 9: return (m_time = number()).has_value();
        case 10: return (m_memory = number()).has_value();
        case 11: {
            const auto key = number();
            const auto text = key ? string() : std::nullopt;
            return text && define({.numbers = {*key}, .text = text});
        }
        case 12: return number().has_value();
        case kRepeat: return m_version >= kRepeats && repeat();
        default: return false;
        }
    }

    bool metadata()
    {
        const auto name = string(), value = name ? string() : std::nullopt;
        if (value && *name == "mode") m_mode = *value;
        if (value && *name == "errors") m_invalid = text::leadingInteger(*value).value_or(0);
        return value.has_value();
    }

    bool stack()
    {
        endSample();
        const auto pid = number(), interpreter = m_version > 2 ? number() : std::optional<std::int64_t>(0);
        const auto thread = pid && interpreter ? string() : std::nullopt;
        if (!thread) return false;
        m_pid = *pid;
        m_thread = inDecimal(*thread);
        m_previous = m_version < kRepeats ? nullptr : &m_before[{m_pid, m_thread}];
        if (m_version > 2) m_thread = std::to_string(*interpreter) + ':' + m_thread;
        m_hasSample = true;
        m_isRepeated = false;
        for (const auto& each : m_ahead)
            defineNow(each);
        m_ahead.clear();
        return true;
    }

    /// The number of a thread, which austin's text has in decimal.
    static std::string inDecimal(std::string_view thread)
    {
        std::uint64_t value = 0;
        const auto end = thread.data() + thread.size();
        const auto read = std::from_chars(thread.data(), end, value, 16);
        return read.ec == std::errc() && read.ptr == end ? std::to_string(value) : std::string(thread);
    }

    bool frame()
    {
        Numbers is{};
        const std::size_t count = m_version > 1 ? is.size() : 4;
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = number();
            if (!value) return false;
            is[i] = *value;
        }
        return define({.numbers = is, .text = {}});
    }

    /// Texts and frames are those of the process whose sample they are within. Version 3.4.0 of austinp has them before the sample.
    bool define(const Ahead& what)
    {
        if (m_hasSample && !m_time && !m_memory)
            defineNow(what);
        else if (m_ahead.size() <= kMostNames)
            m_ahead.push_back(what);
        return true;
    }

    void defineNow(const Ahead& what)
    {
        const auto& is = what.numbers;
        if (m_strings.size() + m_named.size() > kMostNames) return;
        if (what.text)
            m_strings[{m_pid, is[0]}] = *what.text;
        else {
            const auto line = is[3] > 0 && is[3] <= INT32_MAX ? static_cast<std::uint32_t>(is[3]) : 0;
            m_named[{m_pid, is[0]}] = std::make_shared<Frame>(Frame{text(is[2]), text(is[1]), line, Kind::Unknown, true});
        }
    }

    /// The callers are those of the thread's sample before, without what was called there that is not Python.
    bool repeat()
    {
        if (!m_previous || std::exchange(m_isRepeated, true)) return false;
        m_repeated += m_previous->size();
        auto callers = m_previous->size();
        while (callers > 0 && !isPython((*m_previous)[callers - 1]->file))
            --callers;
        const auto room = kDeepest - m_frames.size();
        m_left += callers > room ? callers - room : 0;
        m_frames.insert(m_frames.begin(), m_previous->begin(), m_previous->begin() + static_cast<std::ptrdiff_t>(std::min(callers, room)));
        return true;
    }

    static bool isPython(std::string_view file) { return file.ends_with(".py") || (file.starts_with('<') && file.ends_with('>')); }

    std::string_view text(std::int64_t key) const
    {
        const auto at = m_strings.find({m_pid, key});
        return at != m_strings.end() ? at->second : "<unknown>";
    }

    bool frameRef()
    {
        const auto key = number();
        if (!key) return false;
        const auto at = m_named.find({m_pid, *key});
        if (at == m_named.end()) ++m_unknown;
        return at == m_named.end() ? push({.name = "[unknown]", .file = {}}) : push(at->second);
    }

    bool push(const Frame& frame) { return push(std::make_shared<Frame>(frame)); }
    bool push(std::shared_ptr<Frame> frame)
    {
        if (m_frames.size() < kDeepest)
            m_frames.push_back(std::move(frame));
        else
            ++m_left;
        return true;
    }

    void endSample()
    {
        if (std::exchange(m_hasSample, false)) {
            const auto time = m_time.value_or(0), memory = m_memory.value_or(0);
            const bool isFull = m_time && m_memory;
            add(m_mode == "cpu" ? Cpu : Wall, time);
            if (isFull && !m_isIdle) add(Cpu, time);
            add(memory < 0 ? Given : Taken, memory < 0 ? -std::max(memory, -INT64_MAX) : memory);
            if (m_previous) keepForRepeats();
        }
        m_frames.clear();
        m_time.reset();
        m_memory.reset();
        m_isIdle = m_isCollecting = false;
    }

    void keepForRepeats()
    {
        m_kept -= m_previous->size();
        m_previous->clear();
        for (const auto& frame : m_frames)
            if (frame->isNumbered) m_previous->push_back(frame);
        m_kept += m_previous->size();
        m_repeated += m_frames.size();
    }

    void add(Is what, std::int64_t value)
    {
        if (value <= 0) return;
        auto& stacks = m_measures[what].stacks;
        stacks.frame("pid " + std::to_string(m_pid));
        stacks.frame("thread " + m_thread);
        for (const auto& frame : m_frames) {
            auto& number = frame->numbers[what];
            if (number == kNone) {
                auto named = text::austinFrame(frame->name, frame->file, frame->line);
                named.kind = frame->kind;
                number = stacks.numberOf(named);
            }
            stacks.frame(number);
        }
        if (m_isCollecting) stacks.frame("(garbage collector)");
        stacks.add(value);
    }

    std::string_view m_bytes;
    text::Imported& m_out;
    std::size_t m_at = 0, m_unknown = 0, m_left = 0;
    std::int64_t m_version = 0, m_pid = 0, m_invalid = 0;
    std::string m_mode, m_thread;
    std::map<Key, std::string_view> m_strings;
    std::map<Key, std::shared_ptr<Frame>> m_named;                   ///< one that is named again is another one
    std::vector<Ahead> m_ahead;                                      ///< of the sample that comes next
    Frames m_frames;                                                 ///< of the sample that is read, the root first
    std::map<std::pair<std::int64_t, std::string>, Frames> m_before; ///< by process and thread, of the sample before; since version 4
    Frames* m_previous = nullptr;                                    ///< of the thread that is read
    std::size_t m_kept = 0, m_repeated = 0;                          ///< frames in m_before; how many were copied there and back
    std::optional<std::int64_t> m_time, m_memory;
    bool m_isRepeated = false; ///< the sample has repeated the callers of the one before
    bool m_hasSample = false, m_isIdle = false, m_isCollecting = false;
    static constexpr int kMicroseconds = 3; ///< as a power of ten of ns
    std::array<Measure, kMeasures> m_measures{Measure{"wall", record::StackUnit::Time, kMicroseconds},
        Measure{record::kCpuTime.data(), record::StackUnit::Time, kMicroseconds}, Measure{"bytes allocated"}, Measure{"bytes released"}};
};

class Mojo final : public text::Importer {
public:
    std::string_view name() const override { return "mojo"; }
    std::string_view summary() const override { return "austin's binary files, of versions 1 to 4 of the format"; }
    bool isBinary() const override { return true; }
    text::Guess guess(std::string_view head) const override
    {
        return head.size() > 3 && head.starts_with(kMojoMark) && head[3] < ' ' ? text::Guess::Yes : text::Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        const auto head = lines.head();
        if (!head.starts_with(kMojoMark))
            return text::Imported::nothing("it does not begin with MOJ, as austin's binary files do", head, 0);
        DSCOPE_TRY(const auto bytes, lines.whole(kMostMojo));
        text::Imported out;
        MojoReader reader(bytes, out);
        DSCOPE_CHECK(reader.read());
        const auto before = out.records.size();
        reader.put();
        if (out.records.size() == before) return Error{0, "there is no sample in it"};
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_mojo() { return std::make_unique<Mojo>(); }
} // namespace dscope::importers
