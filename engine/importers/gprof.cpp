#include "engine/text/call_arcs.h"
#include "engine/text/function_names.h"
#include "engine/text/measures.h"
#include "engine/text/words.h"
#include <algorithm>
#include <map>
#include <optional>
#include <vector>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// Takes a word off the front of `rest`.
std::string_view gprofWord(std::string_view& rest)
{
    rest = trimmed(rest);
    const auto word = rest.substr(0, rest.find_first_of(text::kBlanks));
    rest.remove_prefix(word.size());
    return word;
}
bool isGprofDecimal(std::string_view word) { return word.find('.') != word.npos && text::decimal(word, 9); }
/// "0.03" seconds in nanoseconds.
std::optional<std::int64_t> gprofSeconds(std::string_view word) { return isGprofDecimal(word) ? text::decimal(word, 9) : std::nullopt; }
/// "work(int) <cycle 1> [5]": the name alone, and the number in brackets, 0 where there is none.
struct GprofName {
    std::string_view name;
    std::int64_t index = 0;
    bool isWholeCycle = false;
};
GprofName gprofName(std::string_view text)
{
    GprofName out{trimmed(text)};
    if (const auto open = out.name.rfind(" ["); open != out.name.npos && out.name.ends_with(']')) {
        const auto digits = out.name.substr(open + 2, out.name.size() - open - 3);
        if (text::isDigits(digits)) out.index = text::integer(digits).value_or(0), out.name = trimmed(out.name.substr(0, open));
    }
    out.isWholeCycle = out.name.starts_with("<cycle ") && out.name.ends_with(" as a whole>");
    if (const auto cycle = out.name.rfind(" <cycle "); cycle != out.name.npos && out.name.ends_with('>'))
        out.name = trimmed(out.name.substr(0, cycle));
    return out;
}

/// Reads the two tables of gprof: the flat profile has what functions cost themselves, the call graph who calls whom.
/// Source: GNU gprof's manual, "Interpreting gprof's Output".
class GprofReader {
public:
    explicit GprofReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (m_firstNumber == 0 && !trimmed(line).empty()) m_firstNumber = number, m_firstLine = line;
        if (isHeading(line)) return;
        if (line.starts_with('\f')) m_part = Part::Words; // an explanation, or the index of functions
        bool isKnown = true;
        if (m_part == Part::Flat) isKnown = flat(line);
        if (m_part == Part::Graph) isKnown = graph(line);
        if (!isKnown) m_out.misunderstand(number, line);
    }

    bool empty() const { return m_self.empty() && m_entries.empty(); }
    /// There is no table: the first line shows what it is instead.
    void refuse()
    {
        if (m_firstNumber > 0 && m_out.notUnderstood == 0) m_out.misunderstand(m_firstNumber, m_firstLine);
    }

    Result<> put(text::Imported& out, const std::string& path)
    {
        endEntry();
        text::CallArcs arcs({{"time", record::StackUnit::Time, 1}}, text::CallArcs::Roots::Told);
        std::map<Key, std::uint32_t> numbers;
        const auto numberOf = [&](const Key& key) {
            const auto [at, isNew] = numbers.try_emplace(key, 0);
            if (isNew) at->second = arcs.add({.name = text::withoutParameters(key.first)});
            return at->second;
        };
        giveSelf(arcs, numberOf);
        for (const auto& entry : m_entries)
            for (const auto& call : entry.called)
                arcs.call(numberOf(entry.key), numberOf(call.key), call.calls, std::span(&call.cost, 1));
        for (const auto& key : m_roots)
            arcs.isRoot(numberOf(key));
        out.program.name = arcs.nameOf(path);
        return arcs.put(out);
    }

private:
    using Key = std::pair<std::string, std::int64_t>; ///< name and index
    enum class Part : std::uint8_t { Words, Flat, Graph };
    struct Call {
        Key key;
        std::int64_t calls = 0, cost = 0;
    };
    struct Entry {
        Key key;
        std::int64_t self = 0;
        std::vector<Call> called;
    };

    bool isHeading(std::string_view line)
    {
        const auto words = trimmed(line);
        // Explanations stand behind the tables; option -b leaves them out.
        if (words.starts_with("This table describes") || words.starts_with("Index by function name")) return m_part = Part::Words, true;
        if (line.starts_with("Flat profile:") || line.find("Call graph") != line.npos) return m_part = Part::Words, true;
        if (words.starts_with("time   seconds") || words.starts_with("time seconds")) return m_part = Part::Flat, true;
        if (words.starts_with("index % time") || words.starts_with("index  % time")) return m_part = Part::Graph, true;
        return m_part == Part::Words;
    }

    /// "100.15      0.03     0.03        9     3.34     3.34  work": the percentage, the sum so far, the own seconds, calls, the name.
    bool flat(std::string_view line)
    {
        if (trimmed(line).empty()) return m_part = m_self.empty() ? m_part : Part::Words, true;
        if (trimmed(line).starts_with('%')) return m_part = Part::Words, true;
        auto rest = line;
        const bool isShare = isGprofDecimal(gprofWord(rest)) && isGprofDecimal(gprofWord(rest));
        const auto self = gprofSeconds(gprofWord(rest));
        if (!isShare || !self) return false;
        auto behind = rest;
        const auto calls = gprofWord(behind);
        if (text::isDigits(calls) && isGprofDecimal(gprofWord(behind)) && isGprofDecimal(gprofWord(behind))) rest = behind;
        const auto named = gprofName(rest);
        if (named.name.empty()) return false;
        m_self.emplace_back(named.name, *self);
        return true;
    }

    /// An entry: who calls a function, the function itself with its number in front, whom it calls; a line of dashes ends it.
    bool graph(std::string_view line)
    {
        const auto words = trimmed(line);
        if (words.empty()) return true;
        if (words.starts_with("-----")) return endEntry(), true;
        if (words == "<spontaneous>") return m_isSpontaneous = true;
        if (words.starts_with('[')) return primary(words);
        if (!m_hasPrimary) return isCallLine(words); // its callers: their own entries have the same
        const auto call = callOf(words);
        if (call && !m_isWholeCycle) m_entry.called.push_back(*call);
        return call.has_value();
    }

    bool primary(std::string_view words)
    {
        auto rest = words;
        gprofWord(rest); // "[2]"
        const auto share = isGprofDecimal(gprofWord(rest));
        const auto self = gprofSeconds(gprofWord(rest)), children = gprofSeconds(gprofWord(rest));
        if (!share || !self || !children) return false;
        auto behind = rest;
        const auto calls = gprofWord(behind);
        if (!calls.empty() && calls.find_first_not_of("0123456789+") == calls.npos) rest = behind;
        const auto named = gprofName(rest);
        if (named.name.empty()) return false;
        m_hasPrimary = true;
        m_isWholeCycle = named.isWholeCycle;
        m_entry.key = {std::string(named.name), named.index};
        m_entry.self = *self;
        if (m_isSpontaneous && !m_isWholeCycle) m_roots.push_back(m_entry.key);
        return true;
    }

    static bool isCallLine(std::string_view words) { return callOf(words).has_value(); }

    /// "0.02    0.00       6/9           work [1]", or within a cycle "29             odd <cycle 1> [8]".
    static std::optional<Call> callOf(std::string_view words)
    {
        Call out;
        auto rest = words;
        auto word = gprofWord(rest);
        if (const auto self = gprofSeconds(word)) {
            const auto children = gprofSeconds(gprofWord(rest));
            if (!children || __builtin_add_overflow(*self, *children, &out.cost)) return {};
            word = gprofWord(rest);
        }
        const auto calls = text::integer(word.substr(0, word.find('/')));
        const auto named = gprofName(rest);
        if (!calls || *calls < 0 || named.name.empty()) return {};
        out.calls = *calls;
        out.key = {std::string(named.name), named.index};
        return out;
    }

    void endEntry()
    {
        if (m_hasPrimary && !m_isWholeCycle) m_entries.push_back(std::move(m_entry));
        m_entry = {};
        m_hasPrimary = m_isWholeCycle = m_isSpontaneous = false;
    }

    /// The own times of the flat profile, or where it is not printed, of the call graph.
    template <typename NumberOf> void giveSelf(text::CallArcs& arcs, NumberOf numberOf)
    {
        std::map<std::string_view, std::vector<const Entry*>> byName;
        for (const auto& entry : m_entries)
            byName[entry.key.first].push_back(&entry);
        const auto give = [&](const Key& key, std::int64_t self) { arcs.self(numberOf(key), std::span(&self, 1)); };
        for (const auto& [name, self] : m_self) {
            const auto at = byName.find(name);
            if (at == byName.end()) {
                give({name, 0}, self);
            } else if (at->second.size() == 1) {
                give(at->second.front()->key, self);
            } else { // several static functions of one name stand in the same order in both
                const auto best
                    = std::find_if(at->second.begin(), at->second.end(), [&, own = self](const Entry* e) { return e->self == own; });
                const auto chosen = best == at->second.end() ? at->second.begin() : best;
                give((*chosen)->key, self);
                at->second.erase(chosen);
            }
        }
        if (!m_self.empty()) return;
        for (const auto& entry : m_entries)
            give(entry.key, entry.self);
    }

    text::Imported& m_out;
    std::size_t m_firstNumber = 0;
    std::string m_firstLine;
    Part m_part = Part::Words;
    std::vector<std::pair<std::string, std::int64_t>> m_self; ///< ns by name, in the order of the flat profile
    std::vector<Entry> m_entries;
    std::vector<Key> m_roots;
    Entry m_entry;
    bool m_hasPrimary = false, m_isWholeCycle = false, m_isSpontaneous = false;
};

class Gprof final : public text::Importer {
public:
    std::string_view name() const override { return "gprof"; }
    std::string_view summary() const override { return "what gprof prints: the flat profile, the call graph and stacks derived from it"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        for (int i = 0; i < 400 && lines.next(line); ++i) {
            const auto words = trimmed(line);
            if (words.starts_with("index % time ") && words.find("children") != words.npos) return Guess::Yes;
            if (words.starts_with("time   seconds   seconds ") && words.ends_with("name")) return Guess::Yes;
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        GprofReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty()) {
            reader.refuse();
            return out.nothing("there is no flat profile and no call graph of gprof in it");
        }
        DSCOPE_CHECK(reader.put(out, lines.path()));
        if (out.records.empty())
            return out.nothing("no time and no call is in it: run the program for longer, it samples 100 times a second");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_gprof() { return std::make_unique<Gprof>(); }
} // namespace dscope::importers
