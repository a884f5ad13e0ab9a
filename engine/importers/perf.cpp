#include "engine/text/perf_frames.h"
#include "engine/text/perf_head.h"
#include "engine/text/perf_samples.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::isBlank;
using text::kBlanks;
using text::kDigits;
using text::perf::FrameNames;
using text::perf::Head;
using text::perf::KnownStacks;
using text::perf::PerfEvent;
constexpr auto kNone = std::string_view::npos;

/// Behind the time of what is no sample. Source: linux/tools/perf/util/event.c, perf_event__names
constexpr std::string_view kNoSample = " PERF_RECORD_";

class PerfReader {
public:
    explicit PerfReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const bool mayGoOn = m_isOpen && (!m_hasOwnFrame || text::perf::isSetAsFrame(line)); // behind a frame in its head's line
        if (!line.empty() && line.front() == '\t' && mayGoOn && isFrame(line)) return;       // nearly all lines
        if (line.starts_with('#')) return comment(line);
        if (line.find_first_not_of(kBlanks) == kNone) return endOfSample();
        if (m_doubtful > 0 && m_frames.empty() && !text::perf::isSetAsFrame(line)) endOfSample();
        if (const auto at = line.find(kNoSample); at != kNone) return noSample(line, at);
        const bool mayBeHead = line.front() != '\t';
        if (mayBeHead && text::perf::tellsTime(line)) // "dd 17 1.5: ...": a command may read like an address
            if (const auto head = text::perf::headOf(line)) return beginSurely(*head, number);
        if (mayBeHead && m_isLoose && m_hasOwnFrame) endOfSample(); // a line each
        if (m_isOpen && mayGoOn && text::perf::isSurelyFrame(line) && isFrame(line)) return;
        if (mayBeHead)
            if (const auto head = text::perf::headOf(line)) return beginSurely(*head, number);
        if (m_isOpen && ((mayGoOn && isFrame(line)) || isSource(line))) return;
        if (!m_isOpen && beginLoosely(line, number)) return;
        keepStray(line, number);
    }

    /// Reads the stack of the sample whose head came last, if its text is at hand and all of it are frames.
    void stack(text::Lines& lines)
    {
        if (!m_isOpen || m_hasOwnFrame || !m_frames.empty()) return;
        const auto block = lines.paragraph();
        if (block.lines == 0) return;
        const bool mayBeKnown = m_known.isOn() && block.text.size() <= KnownStacks::kMostText;
        if (!mayBeKnown) m_known.pass();
        m_again = mayBeKnown ? m_known.find(block.text, m_isJava) : nullptr;
        if (m_again)
            m_frames = m_again->frames;
        else if (!areFrames(block.text))
            return;
        placeInlined({});
        if (mayBeKnown && !m_again) m_again = m_known.keep(block.text, m_isJava, m_frames);
        lines.skip(block);
    }

    /// An empty line ends a sample with a stack, and the next head one without: where neither comes the text may be cut within its last,
    /// and surely is where the last line is not whole.
    void finish(std::size_t number, bool isLineEnded)
    {
        finishSample(number, isLineEnded);
        giveUpStray();
    }

    bool empty() const { return m_events.empty(); }

    Result<> check() const
    {
        text::StackCounts::Cost cost;
        for (const auto& event : m_events)
            cost += event->stacks().cost();
        return cost.check();
    }

    void put()
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const auto& a, const auto& b) { return a->samples() > b->samples(); });
        const bool isAlone = m_events.size() == 1;
        std::vector<std::string> nouns;
        const auto nounOf = [&](const PerfEvent& event) { // what tells events apart is their name: two clocks count the same time
            auto noun = event.meaning().noun;
            const bool isTaken = std::find(nouns.begin(), nouns.end(), noun) != nouns.end();
            if ((noun == "samples" || isTaken) && !isAlone && !event.name().empty()) noun = event.name();
            nouns.push_back(noun);
            return noun;
        };
        const auto is = m_events.front()->meaning();
        auto first = m_events.front()->stacks().takeNumbered(nounOf(*m_events.front()), is.unit);
        m_out.add(std::move(first.stacks));
        m_events.front()->times().put(m_out, is.unit == record::StackUnit::Time ? "samples" : is.noun, first.lines);
        for (std::size_t i = 1; i < m_events.size(); ++i)
            m_out.add(m_events[i]->stacks().take(nounOf(*m_events[i]), m_events[i]->meaning().unit));
        for (const auto& [cpu, count] : m_lost)
            m_out.records.emplace_back(record::Drop{record::Drop::Kind::Principal, cpu, count});
        if (!m_hasStacks) putCounts();
        if (m_events.size() > 1) tellOthers();
        if (m_withLineEnd > 0)
            m_out.warn(text::counted(m_withLineEnd, "sample is of a thread", "samples are of threads")
                + " whose name has a line end: perf script prints it over two lines");
        if (m_ofOtherEvents > 0)
            m_out.warn("it has more than " + std::to_string(kMostEvents) + " events: the stacks of "
                + text::counted(m_ofOtherEvents, "sample", "samples") + " of the others are left out");
        if (m_huge > 0)
            m_out.warn("samples that count for more than " + std::to_string(INT64_MAX) + " each are left out: " + std::to_string(m_huge));
    }

private:
    static constexpr std::size_t kMostEvents = 64;
    static constexpr std::string_view kInlinedMark = " (inlined)";

    void finishSample(std::size_t number, bool isLineEnded)
    {
        if (!m_isOpen) return;
        if (m_hasOwnFrame || m_followsHead || (m_doubtful > 0 && m_frames.empty())) return endOfSample();
        if (!m_frames.empty() && (isLineEnded || m_isWhole)) {
            m_out.warn("the text ends without the empty line behind the last sample, whose outermost frames may be missing");
            return endOfSample();
        }
        giveUpStray();
        m_out.misunderstand(number, "the text ends within a sample, which is not counted");
        m_isOpen = false;
    }

    void tellOthers()
    {
        std::string names;
        for (const auto& event : m_events)
            names += (names.empty() ? "" : ", ") + event->name() + " (" + std::to_string(event->samples()) + ")";
        m_out.warn("it has several events, which are kept apart, with so many samples: " + names
            + "; the first is shown unless --event NAME, or Event in the window, chooses another one");
    }

    /// Without stacks: how often each event came, by command.
    void putCounts()
    {
        text::Tables tables;
        tables.name("events");
        tables.keyNames({"execname", "event"});
        for (const auto& [keys, count] : m_counts)
            tables.number({keys.first, keys.second}, count);
        tables.put(m_out);
    }

    /// Whether lines are frames, which become the next ones of the sample that is read.
    bool areFrames(std::string_view lines) { return m_names[m_isJava ? 1 : 0].readBlock(lines, m_met) && addMet(); }
    bool isFrame(std::string_view line)
    {
        const auto inlinedBefore = m_inlined;
        if (!m_names[m_isJava ? 1 : 0].readLine(line, m_met) || !addMet()) return false;
        if (m_isWhole) return true;
        m_lastFrame = line; // the line of its source may say that it is inlined
        m_inlinedBefore = inlinedBefore;
        return true;
    }

    bool addMet()
    {
        std::string_view address = m_outer.address, object = m_outer.object;
        bool isOther = false;
        for (const auto& met : m_met) {
            std::uint32_t module = 0;
            if (met.object == text::perf::kInlined) {
                if (m_inlined == 0 && met.address == address)
                    module = numberOf(object);
                else
                    ++m_inlined;
            } else if (met.hasObject) {
                if (m_inlined > 0) placeInlined(met.object);
                address = met.address;
                object = met.object;
                isOther = true;
            }
            m_isWhole = met.hasObject;
            m_frames.push_back({met.function, 0, module, m_isJava});
        }
        if (isOther) { // kept once for all of them: the text may go
            m_outer.address.assign(address);
            m_outer.object.assign(object);
        }
        m_met.clear();
        return true;
    }

    /// Of the frame before: where in the source it is.
    bool isSource(std::string_view line)
    {
        if (m_frames.empty()) return false;
        auto place = text::trimmed(line);
        const bool isInlined = !m_isWhole && place.ends_with(kInlinedMark);
        if (isInlined) place.remove_suffix(kInlinedMark.size());
        const auto source = text::perf::sourceOf(place);
        if (!source) return false;
        if (isInlined) markInlined();
        if (source->line > 0) m_frames.back().source = m_sources.of(place) + 1;
        return true;
    }

    /// The last frame, whose line has no object, is inlined: perf writes that behind its source.
    /// Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain()
    void markInlined()
    {
        m_frames.pop_back();
        m_inlined = m_inlinedBefore;
        isFrame(std::exchange(m_lastFrame, {}).append(kInlinedMark));
    }

    std::uint32_t numberOf(std::string_view object)
    {
        const auto module = text::perf::moduleOf(object);
        return module.empty() ? 0 : m_modules.of(module) + 1;
    }
    /// The last frames are inlined into a function of that object.
    void placeInlined(std::string_view object)
    {
        const auto number = numberOf(object);
        for (; m_inlined > 0; --m_inlined)
            m_frames[m_frames.size() - m_inlined].module = number;
    }

    void comment(std::string_view line)
    {
        const std::pair<std::string_view, std::string*> known[] = {
            {"# hostname : ", &m_out.program.host}, {"# os release : ", &m_out.program.kernel}, {"# cmdline : ", &m_out.program.command}};
        for (const auto& [key, to] : known)
            if (line.starts_with(key)) *to = line.substr(key.size());
    }

    /// What --show-lost-events and others of that kind print: how many samples were lost is kept.
    void noSample(std::string_view line, std::size_t at)
    {
        endOfSample();
        constexpr std::string_view kLost = " lost ";
        const auto lost = line.find(kLost, at);
        if (lost == kNone) return;
        const auto head = text::perf::headOf(line);
        const auto count = text::leadingInteger(line.substr(lost + kLost.size())).value_or(0);
        if (count > 0) m_lost[head ? head->cpu.value_or(0) : 0] += static_cast<std::uint64_t>(count);
    }

    /// A line that is nothing, unless it begins the name of a thread that has a line end, and the head follows.
    void keepStray(std::string_view line, std::size_t number)
    {
        const auto name = text::trimmed(line);
        const bool goesOn = m_stray.number + m_stray.lines == number && m_stray.name.size() + name.size() < text::perf::kLongestCommand;
        if (!goesOn) giveUpStray();
        if (m_stray.lines++ == 0) {
            m_stray.number = number;
            constexpr std::size_t kKept = 200; // bytes that the message shows
            m_stray.line = line.substr(0, kKept);
        }
        m_stray.name.append(name.substr(0, text::perf::kLongestCommand + 1)) += '\n';
    }

    void giveUpStray()
    {
        if (m_stray.lines == 0) return;
        m_out.misunderstand(m_stray.number, m_stray.line);
        m_out.notUnderstood += m_stray.lines - 1;
        m_stray = {};
    }

    void beginSurely(const Head& head, std::size_t number)
    {
        begin(head);
        m_hasSureHeads = true;
        if (m_stray.lines == 0) return;
        const bool isName
            = m_stray.number + m_stray.lines == number && m_stray.name.size() + m_command.size() <= text::perf::kLongestCommand;
        if (!isName) return giveUpStray();
        m_command.insert(0, m_stray.name);
        m_stray = {};
        ++m_withLineEnd;
    }

    /// A sample whose head has the fields that -F chose, which may be any text or nothing at all: a frame must follow.
    bool beginLoosely(std::string_view line, std::size_t number)
    {
        if (m_hasSureHeads) return false; // all heads of a text have the same fields
        const bool isFrameItself = text::perf::isSetAsFrame(line);
        if (line.front() == '\t' && !isFrameItself) return false;
        const auto head = isFrameItself ? Head{} : text::perf::looseHead(line);
        m_isLoose = true;
        begin(head);
        if (isFrameItself) return isFrame(line);
        if (m_hasOwnFrame) return true;
        m_doubtful = number;
        m_doubtfulLine = line;
        return true;
    }

    void begin(const Head& head)
    {
        m_followsHead = m_isOpen;
        endOfSample();
        m_isOpen = true;
        m_outer.address.clear();
        m_head = head;
        m_command = head.command;
        m_machine = head.machine;
        m_event = text::perf::plainEvent(head.event);
        m_isJava = m_command.starts_with("java");
        m_hasOwnFrame = false;
        // Without a call chain the function stands in the line of the head.
        constexpr std::size_t kAddress = 8;
        const auto rest = text::perf::withoutBranches(text::trimmed(head.rest));
        const auto address = rest.substr(0, rest.find_first_of(kBlanks));
        const bool isAddress = address.size() >= kAddress || address.find_first_of(kDigits) != kNone;
        if (isAddress && address.size() < rest.size()) m_hasOwnFrame = isFrame(rest);
    }

    void endOfSample()
    {
        if (!m_isOpen) return;
        if (const auto number = std::exchange(m_doubtful, 0); number > 0 && m_frames.empty()) {
            m_isOpen = false;
            return keepStray(m_doubtfulLine, number);
        }
        placeInlined({});
        m_isOpen = false;
        if (m_head.isHuge) {
            ++m_huge;
            m_again = nullptr;
            return m_frames.clear();
        }
        m_hasStacks = m_hasStacks || !m_frames.empty();
        ++m_counts[{m_command, m_event.empty() ? "samples" : m_event}];
        auto* const own = eventOf(m_event);
        if (own) count(*own);
        if (const auto both = text::perf::ofAllProcessors(m_event); !both.empty())
            if (auto* event = eventOf(std::string(both))) count(*event);
        m_ofOtherEvents += own ? 0 : 1;
        m_frames.clear();
        m_again = nullptr;
    }

    PerfEvent* eventOf(const std::string& name)
    {
        if (m_events.size() > 0 && m_last && m_last->name() == name) return m_last;
        for (const auto& event : m_events)
            if (event->name() == name) return m_last = event.get();
        if (m_events.size() >= kMostEvents) return nullptr;
        m_events.push_back(std::make_unique<PerfEvent>(name));
        return m_last = m_events.back().get();
    }

    void count(PerfEvent& event)
    {
        const bool mayBeAgain = m_again && m_machine.empty();
        if (mayBeAgain && m_again->event == &event && m_again->command == m_command)
            return event.addAgain(m_head, m_command, m_again->number);
        auto& stacks = event.stacks();
        if (!m_machine.empty()) stacks.frame(m_machine);
        if (!m_command.empty()) stacks.frame(m_command);
        const bool isTracepoint = m_event.find(':') != kNone;
        if (m_frames.empty() && isTracepoint) stacks.frame(m_event);
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            stacks.frames(event.numbers(*f, [&] { return numbered(stacks, *f); }));
        const auto number = event.add(m_head, m_command);
        if (!mayBeAgain) return;
        m_again->event = &event;
        m_again->command = m_command;
        m_again->number = number;
    }

    std::vector<std::uint32_t> numbered(text::StackCounts& stacks, const PerfEvent::Frame& frame)
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& step : m_names[frame.java ? 1 : 0][frame.function]) {
            text::StackCounts::Frame told{.name = step.name, .kind = step.kind, .inlined = step.inlined, .module = step.module};
            if (frame.module > 0) told.module = m_modules.text(frame.module - 1);
            const auto source = frame.source > 0 ? text::perf::sourceOf(m_sources.text(frame.source - 1)) : std::nullopt;
            if (source) {
                told.file = source->file;
                told.line = source->line;
            }
            numbers.push_back(stacks.numberOf(told, step.descriptor));
        }
        return numbers;
    }

    text::Imported& m_out;
    std::vector<std::unique_ptr<PerfEvent>> m_events; ///< in the order of their coming, until put()
    PerfEvent* m_last = nullptr;
    std::array<FrameNames, 2> m_names{FrameNames(false), FrameNames(true)}; ///< of processes of Java the second
    Interned m_sources, m_modules;
    KnownStacks m_known;
    std::vector<FrameNames::Met> m_met;    ///< of the lines that are read
    KnownStacks::Stack* m_again = nullptr; ///< of the sample that is read: its text is known
    Head m_head;                           ///< of the sample that is read, without its texts
    std::string m_command, m_event, m_machine;
    std::vector<PerfEvent::Frame> m_frames; ///< of the sample that is read, the innermost first
    std::size_t m_inlined = 0;              ///< how many of the last ones wait for the function that they are part of
    /// The last function that is not inlined. perf 7.2 prints what is inlined there behind it where both have one address.
    struct {
        std::string address, object;
    } m_outer;
    std::string m_lastFrame;         ///< the line of the last frame, where it has no object
    std::size_t m_inlinedBefore = 0; ///< what m_inlined was before it
    bool m_isOpen = false, m_isJava = false;
    bool m_isWhole = false;      ///< the line of the last frame is complete
    bool m_hasOwnFrame = false;  ///< in the line of its head
    bool m_followsHead = false;  ///< the sample before had no more lines than its head
    bool m_hasStacks = false;    ///< any sample has frames
    bool m_hasSureHeads = false; ///< one at least has a time, or an event and whose it is
    bool m_isLoose = false;      ///< the heads have other fields
    std::size_t m_doubtful = 0;  ///< the line that is a head if a frame follows it; 0: none
    std::string m_doubtfulLine;
    /// Lines that are nothing so far.
    struct {
        std::size_t number = 0, lines = 0;
        std::string line, name; ///< the first of them; all, as the beginning of a name
    } m_stray;
    std::size_t m_withLineEnd = 0;
    std::size_t m_ofOtherEvents = 0;                                      ///< samples beyond kMostEvents
    std::size_t m_huge = 0;                                               ///< samples whose periods no number holds
    std::map<std::pair<std::string, std::string>, std::int64_t> m_counts; ///< samples by command and event
    std::map<std::uint32_t, std::uint64_t> m_lost; ///< by CPU: samples for which there was no room when they were taken
};

class Perf final : public text::Importer {
public:
    std::string_view name() const override { return "perf"; }
    std::string_view summary() const override { return "what perf script prints: samples with their stacks, or without"; }

    bool isGeneral() const override { return true; } // any line with a hexadecimal word may be a frame: "f (x.py:3)" of py-spy

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterHead = false;
        int heads = 0, linesOfOwn = 0;
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if (line.starts_with("# ========") || line.starts_with("# captured on")) return Guess::Yes;
            if (line.empty() || line.front() == '#') continue;
            const auto frame = text::perf::frameOf(line);
            if (text::perf::isSetAsFrame(line)) return Guess::Yes;
            if (afterHead && frame && (isBlank(line.front()) || frame->hasObject)) return Guess::Yes;
            const auto sample = line.ends_with(')') && line.find(": ") == kNone ? std::nullopt : text::perf::headOf(line);
            afterHead = sample.has_value();
            heads += sample && isSampleAlone(*sample) ? 1 : 0;
            linesOfOwn += hasOwnFrame(line) ? 1 : 0;
            if (heads > 2 || linesOfOwn > 2) return Guess::Yes;
        }
        return heads > 0 ? Guess::Unknown : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        PerfReader reader(out);
        std::string_view line;
        constexpr std::size_t kOften = 65'536;
        while (lines.next(line)) {
            reader.line(line, lines.number());
            reader.stack(lines);
            if (lines.number() % kOften == 0) DSCOPE_CHECK(reader.check());
        }
        reader.finish(lines.number(), lines.isLineEnded());
        if (reader.empty()) return out.nothing("there is no sample in it");
        reader.put();
        return out;
    }

private:
    /// "cpp 17776 453.135558: 5025125 cpu-clock:ppp: 5568637262c6 f+0x1c (/srv/app)", and without a function of a tracepoint: all of a
    /// sample in a line.
    static bool isSampleAlone(const Head& head)
    {
        if (head.when == 0 || head.event.empty() || !head.tid) return false;
        if (head.cpu && head.event.find(':') != kNone) return true;
        const auto frame = text::perf::frameOf(head.rest);
        return frame && frame->hasObject;
    }
    /// "   1003009 cpu-clock:      55a9d203658f loop(long) (/srv/app)": any fields of -F with ip, sym and dso, without call chains.
    static bool hasOwnFrame(std::string_view line)
    {
        const auto rest = line.front() == '\t' ? std::string_view() : text::perf::looseHead(line).rest;
        const auto frame = rest.empty() ? std::nullopt : text::perf::frameOf(rest);
        return frame && frame->hasObject && frame->object.starts_with('/');
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perf() { return std::make_unique<Perf>(); }
} // namespace dscope::importers
