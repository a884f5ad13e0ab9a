#include "engine/record/folded.h"
#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/json_file.h"
#include "engine/text/stack_counts.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::JsonReader;

constexpr std::size_t kMostDocumentBytes = std::size_t{1} << 30;

/// What D calls the functions of an aggregation, and that name their values in a row.
struct ScalarFunction {
    std::string_view word;
    record::Aggregator function;
};
/// An average cannot be taken apart into how many there were: it is shown as it is, and never added to another.
constexpr std::array<ScalarFunction, 6> kScalars{
    {{"count", record::Aggregator::Count}, {"sum", record::Aggregator::Sum}, {"min", record::Aggregator::Min},
        {"max", record::Aggregator::Max}, {"avg", record::Aggregator::Max}, {"stddev", record::Aggregator::Max}}};

/// FreeBSD's structured output (dtrace -x oformat=json or --libxo json), which dscope writes, too: firings, what they traced, and
/// aggregations. Source: FreeBSD's dtrace(1), "Structured output"; docs/formats.md, "A run as a document"
class DtraceDocument {
public:
    explicit DtraceDocument(std::string_view json) : m_json(json), m_reader(json) { }

    Result<> read(text::Imported& out)
    {
        m_out = &out;
        bool hasProbes = false;
        m_reader.members([&](std::string_view key) {
            if (key != "dtrace") return m_reader.skip();
            return m_reader.members([&](std::string_view inner) {
                if (inner != "probes") return m_reader.skip();
                hasProbes = true;
                return m_reader.elements([&] { return probe(); });
            });
        });
        // A run that was killed leaves the document open: all that it says counts.
        const bool isOpen = m_reader.failed() && m_reader.position() >= m_json.size() && m_probes > 0;
        if (m_reader.failed() && !isOpen)
            return text::Imported::nothing("it is damaged at byte " + std::to_string(m_reader.position()) + ": there is " + m_reader.what(),
                m_json, m_reader.position());
        if (!hasProbes) return Error{0, "it has no list of probes"};
        if (isOpen) out.warn("the document is cut: what is read of it ends with firing " + std::to_string(m_probes));
        DSCOPE_CHECK(m_stacks.check());
        put();
        text::tellRest(m_reader, out);
        return {};
    }

private:
    /// A row of an aggregation, or what one action traced.
    struct Row {
        text::Tables::Keys keys;
        std::vector<std::uint32_t> frames; ///< the innermost first
        bool hasStack = false;
        std::optional<std::pair<ScalarFunction, std::int64_t>> value;
        std::vector<text::PrintedRow> buckets;
        bool hasBuckets = false;
    };

    bool probe()
    {
        ++m_probes;
        m_provider.clear(), m_module.clear(), m_function.clear(), m_name.clear(), m_message.clear();
        m_when = m_cpu = -1;
        m_traced.clear();
        const bool good = m_reader.members([&](std::string_view key) {
            if (key == "timestamp") return number(m_when);
            if (key == "cpu") return number(m_cpu);
            if (key == "provider") return m_reader.text(m_provider);
            if (key == "module") return m_reader.text(m_module);
            if (key == "function") return m_reader.text(m_function);
            if (key == "name") return m_reader.text(m_name);
            if (key == "msg") return m_reader.text(m_message);
            if (key == "output") return m_reader.elements([&] { return output(); });
            return m_reader.skip();
        });
        if (m_cpu >= 0) fired();
        if (!m_message.empty() && m_drops++ < kMostMessages) m_out->warn(m_message.substr(0, m_message.find('\n')));
        return good;
    }

    void fired()
    {
        const auto probe = m_provider + ':' + m_module + ':' + m_function + ':' + m_name;
        while (m_traced.ends_with('\n'))
            m_traced.pop_back();
        if (!m_traced.empty()) {
            if (m_counts.size() < kMostRows || m_counts.contains({probe, m_traced}))
                ++m_counts[{probe, m_traced}];
            else
                ++m_left;
        }
        if (m_when <= 0 || (m_provider == "dtrace" && m_name != "END")) return;
        if (m_firings.size() >= kMostFirings) return void(++m_firingsLeft);
        const auto [known, isNew] = m_known.try_emplace(probe, static_cast<std::uint32_t>(m_known.size()));
        if (isNew) m_out->records.emplace_back(record::ProbeDef{ProbeId{known->second}, m_provider, m_module, m_function, m_name});
        const auto cpu = static_cast<std::uint32_t>(std::min<std::int64_t>(m_cpu, INT32_MAX));
        m_firings.push_back({ClauseId{0}, ProbeId{known->second}, cpu, 0, cpu, record::Nanoseconds(m_when), {}});
    }

    bool number(std::int64_t& out)
    {
        const auto written = m_reader.number();
        if (!written) return m_reader.skip() && !m_reader.failed();
        out = text::integer(*written).value_or(-1);
        return true;
    }

    /// An instance of "output": what one action of a clause traced.
    bool output()
    {
        std::vector<Row> rows;
        std::string name, folded;
        Row own;
        bool isPrint = false, isTable = false;
        const bool good = m_reader.members([&](std::string_view key) {
            if (key == "aggregation-data") {
                isTable = true;
                return m_reader.elements([&] {
                    rows.emplace_back();
                    return row(rows.back());
                });
            }
            if (key == "aggregation-name") return m_reader.text(name);
            if (key == "stack" && m_reader.kind() == JsonReader::Kind::Text) return m_reader.text(folded);
            if (key == "stack-frames" || key == "ustack-frames") return frames(own, kindOf(key));
            if (key == "type" && m_reader.kind() == JsonReader::Kind::Array) return isPrint = true, m_reader.skip();
            if (key == "message") return m_reader.text(m_traced);
            return value(own);
        });

        if (isPrint) ++m_prints;
        for (auto& each : rows)
            take(each, name);
        if (isTable) return good;
        if (own.hasStack) addStack(own, 1);
        if (!folded.empty() && !own.keys.empty()) addFolded(folded, own.keys.back());
        if (m_traced.empty() && !own.hasStack && !own.keys.empty()) m_traced = own.keys.front();
        return good;
    }

    /// A member that is a number or a text, as a key; others are passed.
    bool value(Row& row)
    {
        const auto kind = m_reader.kind();
        if (kind == JsonReader::Kind::Text) return m_reader.text(row.keys.emplace_back());
        if (kind != JsonReader::Kind::Number) return m_reader.skip();
        const auto written = m_reader.number();
        if (!written) return false;
        row.keys.emplace_back(*written);
        return true;
    }

    bool row(Row& row)
    {
        return m_reader.members([&](std::string_view key) {
            if (key == "keys") return m_reader.elements([&] { return this->key(row); });
            if (key == "buckets") return row.hasBuckets = true, m_reader.elements([&] { return bucket(row); });
            for (const auto& scalar : kScalars)
                if (key == scalar.word) {
                    const auto written = m_reader.number();
                    if (!written) return false;
                    if (const auto n = text::integer(*written)) row.value = {scalar, *n};
                    return true;
                }
            return m_reader.skip();
        });
    }

    /// A key is a value, a stack, or a symbol, whose parts follow its text.
    bool key(Row& row)
    {
        return m_reader.members([&](std::string_view name) {
            if (name == "stack-frames" || name == "ustack-frames") return frames(row, kindOf(name));
            const bool isText = name == "value" || name == "sym" || name == "usym" || name == "mod" || name == "umod" || name == "uaddr";
            return isText ? value(row) : m_reader.skip();
        });
    }

    bool bucket(Row& row)
    {
        text::PrintedRow printed;
        std::string low;
        bool isRead = false;
        const bool good = m_reader.members([&](std::string_view key) {
            if (key != "value" && key != "count") return m_reader.skip();
            if (key == "value" && m_reader.kind() == JsonReader::Kind::Text) return isRead = true, m_reader.text(low);
            const auto written = m_reader.number();
            if (!written) return false;
            if (key == "value")
                low = *written, isRead = true;
            else
                printed.count = text::integer(*written).value_or(0);
            return true;
        });
        std::string_view label = low;
        for (const auto& [mark, kind] : {std::pair{"<=", text::PrintedRow::Kind::Below}, {"<", text::PrintedRow::Kind::Below},
                 {">=", text::PrintedRow::Kind::AtLeast}, {"abs() <", text::PrintedRow::Kind::Middle}})
            if (label.starts_with(mark)) {
                printed.kind = kind;
                label = text::trimmed(label.substr(std::string_view(mark).size()));
                break;
            }
        const auto value = text::integer(label);
        if (isRead && value) {
            printed.value = *value;
            row.buckets.push_back(printed);
        }
        return good;
    }

    static record::Frame::Kind kindOf(std::string_view list)
    {
        return list == "stack-frames" ? record::Frame::Kind::Kernel : record::Frame::Kind::Unknown;
    }

    /// A list of frames, the innermost first.
    bool frames(Row& row, record::Frame::Kind kind)
    {
        row.hasStack = true;
        return m_reader.elements([&] {
            std::string symbol, module, name, file;
            std::int64_t line = 0, inlined = 0;
            const bool good = m_reader.members([&](std::string_view key) {
                if (key == "symbol") return m_reader.text(symbol);
                if (key == "module") return m_reader.text(module);
                if (key == "name") return m_reader.text(name);
                if (key == "file") return m_reader.text(file);
                if (key == "line") return number(line);
                if (key == "inlined") return number(inlined);
                return m_reader.skip();
            });
            if (row.frames.size() >= kDeepest)
                ++m_framesLeft;
            else
                row.frames.push_back(
                    frame(symbol, {.name = name, .kind = kind, .inlined = inlined == 1, .module = module, .file = file}, line));
            return good;
        });
    }

    /// `typed.name` may be empty: `symbol` is what the text of dtrace shows, which has the address then.
    std::uint32_t frame(std::string_view symbol, text::StackCounts::Frame typed, std::int64_t line)
    {
        if (!typed.name.empty())
            typed.name = text::withoutParameters(typed.name);
        else // "libc.so.6`0x12": of a file, without a function
            typed.name = symbol.substr(typed.module.empty() ? 0 : symbol.rfind('`') + 1);
        if (typed.name.empty()) typed.name = "-";
        if (line > 0 && line <= INT32_MAX) typed.line = static_cast<std::uint32_t>(line);
        return m_stacks.numberOf(typed);
    }

    void addStack(const Row& row, std::int64_t value)
    {
        for (const auto& key : row.keys)
            m_stacks.frame(key);
        for (auto f = row.frames.rbegin(); f != row.frames.rend(); ++f)
            m_stacks.frame(*f);
        m_stacks.add(value);
    }

    /// dscope's own, of imported stacks: frames from the root, joined.
    void addFolded(std::string_view folded, const std::string& value)
    {
        const auto n = text::integer(value);
        if (!n) return;
        while (!folded.empty()) {
            const auto end = folded.find(record::kFrameSeparator);
            m_stacks.frame(folded.substr(0, end));
            folded.remove_prefix(end == folded.npos ? folded.size() : end + 1);
        }
        m_stacks.add(*n);
    }

    void take(const Row& row, const std::string& name)
    {
        if (row.hasStack && row.value) return addStack(row, row.value->second);
        if (++m_rows > kMostRows || row.hasStack) {
            ++m_left;
            return;
        }
        m_tables.name(name == "_" ? "" : name);
        if (row.value) return m_tables.number(row.keys, row.value->second, row.value->first.function);
        if (!row.hasBuckets || row.buckets.empty()) return;
        if (auto d = text::distributionOf(row.buckets))
            m_tables.distribution(row.keys, d->shape, std::move(d->buckets));
        else
            ++m_left;
    }

    void put()
    {
        m_tables.name("traced");
        m_tables.keyNames({"probe", "value"});
        for (const auto& [keys, count] : m_counts)
            m_tables.number({keys.first, keys.second}, count);
        if (!m_firings.empty()) {
            m_out->program.clauses.emplace_back();
            std::stable_sort(m_firings.begin(), m_firings.end(), [](const auto& a, const auto& b) { return a.when < b.when; });
            m_out->program.started = m_firings.front().when.count();
            for (auto& fired : m_firings)
                m_out->records.emplace_back(std::move(fired));
        }
        m_tables.put(*m_out);
        if (!m_stacks.empty()) m_out->add(m_stacks.take("events"));
        if (m_left > 0) m_out->warn(std::to_string(m_left) + " rows are left out: they are too many, or distributions of stacks");
        if (m_firingsLeft > 0)
            m_out->warn("only the first " + std::to_string(kMostFirings)
                + " firings have their times: " + text::counted(m_firingsLeft, "is", "are") + " left out of figures over time");
        if (m_framesLeft > 0)
            m_out->warn(
                text::counted(m_framesLeft, "frame is", "frames are") + " left out, of stacks deeper than " + std::to_string(kDeepest));
        if (m_drops > kMostMessages)
            m_out->warn(text::counted(m_drops - kMostMessages, "message", "messages") + " more of dtrace about drops and errors");
        if (m_prints > 0) m_out->warn("what print() showed is left out: " + std::to_string(m_prints) + " objects");
    }

    static constexpr std::size_t kMostFirings = 1'000'000, kMostRows = 1'000'000, kMostMessages = 20, kDeepest = 65'536;
    std::string_view m_json;
    JsonReader m_reader;
    text::Imported* m_out = nullptr;
    text::StackCounts m_stacks;
    text::Tables m_tables;
    std::string m_provider, m_module, m_function, m_name, m_message, m_traced; ///< of the instance that is read
    std::int64_t m_when = -1, m_cpu = -1;
    std::size_t m_probes = 0, m_rows = 0, m_left = 0, m_prints = 0, m_drops = 0, m_firingsLeft = 0, m_framesLeft = 0;
    std::map<std::pair<std::string, std::string>, std::int64_t> m_counts; ///< probe and what it traced
    std::map<std::string, std::uint32_t> m_known;
    std::vector<record::Fired> m_firings;
};

class FreebsdJson final : public text::Importer {
public:
    std::string_view name() const override { return "dtrace.json"; }
    std::string_view summary() const override { return "what dtrace -x oformat=json prints, of FreeBSD and of dscope"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        // Other members may stand before it: libxo puts "__version" there.
        bool is = false;
        JsonReader reader(head);
        if (reader.kind() != JsonReader::Kind::Object) return Guess::No;
        reader.members([&](std::string_view key) {
            if (key != "dtrace" || reader.kind() != JsonReader::Kind::Object) return reader.skip();
            return reader.members([&](std::string_view inner) {
                is = is || inner == "probes";
                return !is && reader.skip();
            });
        });
        return is ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto json, lines.whole(kMostDocumentBytes));
        text::Imported out;
        DSCOPE_CHECK(DtraceDocument(json).read(out));
        if (out.records.empty()) return out.nothing("nothing in it is a firing, a stack or an aggregation");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_freebsd_json() { return std::make_unique<FreebsdJson>(); }
} // namespace dscope::importers
