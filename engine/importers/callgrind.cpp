#include "engine/base/interned.h"
#include "engine/text/call_arcs.h"
#include "engine/text/function_names.h"
#include "engine/text/measures.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

constexpr std::size_t kMostEvents = 64;
constexpr std::size_t kMostNameBytes = std::size_t{192} << 20; ///< bytes of different names

/// What a measure is called and measured in: "Ir", "cpu(ms)" of pprof, "Time_(10ns)" of xdebug.
text::CallArcs::Measure eventMeasure(std::string_view event)
{
    text::CallArcs::Measure out{std::string(event), record::StackUnit::Count, 1};
    auto unit = event;
    if (const auto open = event.rfind('('); open != event.npos && open > 0 && event.ends_with(')')) {
        unit = event.substr(open + 1, event.size() - open - 2);
        auto name = event.substr(0, open);
        while (name.ends_with('_'))
            name.remove_suffix(1);
        if (!name.empty()) out.noun = name;
    }
    const auto digits = unit.substr(0, unit.find_first_not_of(text::kDigits));
    const auto factor = digits.empty() ? std::optional<std::int64_t>(1) : text::integer(digits);
    const auto known = text::unitOf(unit.substr(digits.size()));
    std::int64_t by = 0;
    if (!known || !factor || *factor <= 0 || __builtin_mul_overflow(known->by, *factor, &by)) return {std::string(event)};
    out.unit = known->is;
    out.by = by;
    if (out.noun == event && known->is == record::StackUnit::Time) out.noun = "time";
    return out;
}

/// Takes a word off the front of `rest`.
std::string_view takeField(std::string_view& rest)
{
    std::size_t from = 0;
    while (from < rest.size() && text::isBlank(rest[from]))
        ++from;
    auto end = from;
    while (end < rest.size() && !text::isBlank(rest[end]))
        ++end;
    const auto word = rest.substr(from, end - from);
    rest.remove_prefix(end);
    return word;
}
/// "12" or "0xc".
std::optional<std::uint64_t> fieldNumber(std::string_view word)
{
    const bool isHex = word.starts_with("0x");
    const auto digits = isHex ? word.substr(2) : word;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
    return value;
}

/// Reads callgrind's profile format, which other tools write, too. Source: Valgrind's manual, "Callgrind Format Specification".
class CallgrindReader {
public:
    explicit CallgrindReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.empty() || line.front() == '#') return;
        const char first = line.front();
        const bool isCost = (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*';
        const bool isKnown = isCost ? costs(line) : words(line);
        if (!isKnown) m_out.misunderstand(number, line);
    }

    Result<> check() const
    {
        if (m_nameBytes > kMostNameBytes) return Error{0, "its names are more than 192 MiB of text: leave libraries out when recording"};
        return m_arcs ? m_arcs->check() : Result<>();
    }

    bool empty() const { return !m_arcs || m_arcs->empty(); }

    Result<> put(text::Imported& out, const std::string& path)
    {
        merge();
        out.program.name = m_arcs->nameOf(path);
        if (m_threads.size() > 1)
            for (const auto& [key, function] : m_functions)
                m_arcs->setRoot(function, "thread " + std::to_string(key.thread));
        compareTotals(out);
        return m_arcs->put(out);
    }

private:
    struct Key {
        std::uint32_t thread, object, file, name;
        bool operator==(const Key&) const = default;
    };
    struct HashOfKey {
        std::size_t operator()(const Key& key) const { return hashOf({reinterpret_cast<const char*>(&key), sizeof key}); }
    };
    using Ids = std::unordered_map<std::uint64_t, std::uint32_t>;

    std::uint32_t intern(std::string_view text)
    {
        const auto before = m_names.size();
        const auto number = m_names.of(text);
        if (m_names.size() != before) m_nameBytes += text.size() + 32;
        return number;
    }

    /// "(3) name" gives a name a number, "(3)" is the name of that number, and anything else is a name. Nothing of an unknown number.
    std::optional<std::uint32_t> nameOf(std::string_view text, Ids& ids)
    {
        text = trimmed(text);
        const auto close = text.starts_with('(') ? text.find(')') : text.npos;
        const auto id = close == text.npos ? std::nullopt : fieldNumber(text.substr(1, close - 1));
        if (!id) return intern(text);
        const auto name = trimmed(text.substr(close + 1));
        if (!name.empty()) return ids[*id] = intern(name);
        const auto known = ids.find(*id);
        return known == ids.end() ? std::nullopt : std::optional(known->second);
    }

    /// A frame of a key: what is unknown is written "???", and a level of recursion stands behind the name, "fib(int)'2".
    std::uint32_t functionOf(const Key& key)
    {
        const auto [at, isNew] = m_functions.try_emplace(key, 0);
        if (!isNew) return at->second;
        const auto known = [&](std::uint32_t number) {
            const auto text = m_names.text(number);
            return text == "???" ? std::string_view() : text;
        };
        const auto raw = m_names.text(key.name), object = known(key.object);
        const auto tick = raw.rfind('\'');
        const bool isLevel = tick != raw.npos && text::isDigits(raw.substr(tick + 1));
        const auto level = isLevel ? raw.substr(tick) : std::string_view();
        const auto name = std::string(text::withoutParameters(raw.substr(0, raw.size() - level.size()))) + std::string(level);
        at->second
            = m_arcs->add({.name = name.empty() ? "???" : name, .module = object.substr(object.rfind('/') + 1), .file = known(key.file)});
        m_keys.push_back(key);
        m_isDefined.push_back(false);
        m_threads[key.thread] = true;
        return at->second;
    }

    bool costs(std::string_view rest)
    {
        const bool isCall = std::exchange(m_isCall, false);
        if (!m_arcs || !m_hasFunction) return false;
        for (std::size_t i = 0; i < m_positions; ++i)
            if (!position(takeField(rest), i == m_linePosition)) return false;
        std::array<std::int64_t, kMostEvents> cost{};
        std::size_t count = 0;
        for (auto word = takeField(rest); !word.empty(); word = takeField(rest)) {
            if (count >= m_columns.size()) return false;
            const auto to = m_columns[count++];
            const bool isNegative = word.starts_with('-');
            const auto value = fieldNumber(word.substr(isNegative));
            if (!value || *value > static_cast<std::uint64_t>(INT64_MAX)) return false;
            if (isNegative && *value > 0) ++m_negative;
            if (!isNegative && to < cost.size()) cost[to] = static_cast<std::int64_t>(*value);
        }
        if (!isCall && m_file == m_functionFile)
            m_arcs->line(m_function, static_cast<std::uint32_t>(std::min<std::uint64_t>(m_line, UINT32_MAX)));
        if (isCall)
            m_arcs->call(m_function, m_callee, m_calls, cost);
        else
            m_arcs->self(m_function, cost);
        return true;
    }

    /// A line or an address: "12", "0xc", "+3" and "-3" from the one before, "*" as before.
    bool position(std::string_view word, bool isLine)
    {
        if (word == "*") return true;
        const bool isRelative = word.starts_with('+') || word.starts_with('-');
        const auto number = fieldNumber(word.substr(isRelative));
        if (!number) return false;
        if (isLine) m_line = !isRelative ? *number : word.front() == '+' ? m_line + *number : m_line - std::min(*number, m_line);
        return true;
    }

    bool words(std::string_view line)
    {
        const auto end = std::find_if(line.begin(), line.end(), [](char c) { return c == '=' || c == ':'; });
        if (end == line.end()) return trimmed(line).empty();
        const auto key = line.substr(0, static_cast<std::size_t>(end - line.begin()));
        const auto value = trimmed(line.substr(key.size() + 1));
        return *end == '=' ? place(key, value) : header(key, value);
    }

    bool place(std::string_view key, std::string_view value)
    {
        if (key == "fn") return beginFunction(value);
        if (key == "calls") return beginCall(value);
        const auto take = [&](auto& to, Ids& ids) {
            const auto name = nameOf(value, ids);
            if (name) to = *name;
            return name.has_value();
        };
        if (key == "fl" || key == "fi" || key == "fe") return take(m_file, m_fileIds);
        if (key == "ob") return take(m_object, m_objectIds);
        if (key == "cob") return take(m_calledObject, m_objectIds);
        if (key == "cfi" || key == "cfl") return take(m_calledFile, m_fileIds);
        if (key == "cfn") return take(m_called, m_functionIds);
        // Jumps cost nothing; the position in the line behind them has no cost either.
        std::uint32_t ignored = 0;
        if (key == "jfi") return take(ignored, m_fileIds);
        if (key == "jfn") return take(ignored, m_functionIds);
        return key == "jump" || key == "jcnd";
    }

    bool beginFunction(std::string_view value)
    {
        const auto name = nameOf(value, m_functionIds);
        m_hasFunction = m_arcs && name;
        if (!m_hasFunction) return false;
        m_function = functionOf({m_thread, m_object, m_file, *name});
        m_isDefined[m_function] = true;
        m_functionFile = m_file;
        m_calledObject.reset();
        m_calledFile.reset();
        m_called.reset();
        return true;
    }

    /// "calls=3 +12": the line behind it has the cost of these calls, at the place of the call.
    bool beginCall(std::string_view value)
    {
        const auto count = fieldNumber(takeField(value));
        const auto called = std::exchange(m_called, std::nullopt);
        const auto object = std::exchange(m_calledObject, std::nullopt), file = std::exchange(m_calledFile, std::nullopt);
        m_isCall = m_arcs && m_hasFunction && called && count && *count <= static_cast<std::uint64_t>(INT64_MAX);
        if (!m_isCall) return m_hasFunction = false; // the cost that follows is no one's
        m_calls = static_cast<std::int64_t>(*count);
        m_callee = functionOf({m_thread, object.value_or(m_object), file.value_or(m_file), *called});
        return true;
    }

    bool header(std::string_view key, std::string_view value)
    {
        if (key == "events") return events(value);
        if (key == "positions") return positions(value);
        if (key == "thread") m_thread = static_cast<std::uint32_t>(std::min<std::uint64_t>(fieldNumber(value).value_or(0), UINT32_MAX));
        if (key == "creator") m_isOfCallgrind = value.starts_with("callgrind");
        if (key == "summary") ++m_parts;
        if (key == "totals") return totals(value);
        return key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == key.npos;
    }

    bool events(std::string_view value)
    {
        m_columns.clear();
        std::vector<std::string_view> names;
        for (auto word = takeField(value); !word.empty(); word = takeField(value))
            names.push_back(word);
        if (names.empty() || names.size() > kMostEvents) return false; // the costs that follow are no one's
        for (const auto name : names)
            m_columns.push_back(eventNumber(name));
        if (!m_arcs) {
            std::vector<text::CallArcs::Measure> measures;
            std::transform(m_events.begin(), m_events.end(), std::back_inserter(measures), eventMeasure);
            m_arcs.emplace(std::move(measures), text::CallArcs::Roots::Remainder);
        }
        m_totals.resize(m_events.size());
        return true;
    }

    /// Of m_events; kMostEvents: one that only a later part has, which has no place any more.
    std::size_t eventNumber(std::string_view name)
    {
        const auto at = std::find(m_events.begin(), m_events.end(), name);
        if (at != m_events.end()) return static_cast<std::size_t>(at - m_events.begin());
        if (m_arcs) {
            ++m_lateEvents;
            return kMostEvents;
        }
        m_events.emplace_back(name);
        return m_events.size() - 1;
    }

    bool positions(std::string_view value)
    {
        m_positions = 0;
        m_linePosition = SIZE_MAX;
        for (auto word = takeField(value); !word.empty(); word = takeField(value), ++m_positions)
            if (word == "line") m_linePosition = m_positions;
        return m_positions > 0 && m_positions <= 8;
    }

    bool totals(std::string_view value)
    {
        ++m_ended;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const auto number = fieldNumber(takeField(value));
            if (number && m_columns[i] < m_totals.size()) m_totals[m_columns[i]] += *number;
        }
        return true;
    }

    /// Callees that the text does not describe are functions of the same name, if there is one: tools write the file of either alone.
    void merge()
    {
        std::unordered_map<std::uint64_t, std::uint32_t> byName;
        const auto nameKey = [&](const Key& key) { return std::uint64_t{key.thread} << 32 | key.name; };
        constexpr std::uint32_t kSeveral = UINT32_MAX;
        for (std::uint32_t i = 0; i < m_keys.size(); ++i)
            if (m_isDefined[i]) {
                const auto [at, isNew] = byName.try_emplace(nameKey(m_keys[i]), i);
                if (!isNew) at->second = kSeveral;
            }
        std::vector<std::uint32_t> as(m_keys.size());
        bool merges = false;
        for (std::uint32_t i = 0; i < m_keys.size(); ++i) {
            as[i] = i;
            const auto at = m_isDefined[i] ? byName.end() : byName.find(nameKey(m_keys[i]));
            if (at == byName.end() || at->second == kSeveral) continue;
            as[i] = at->second;
            merges = true;
        }
        if (merges) m_arcs->unite(as);
    }

    void compareTotals(text::Imported& out) const
    {
        if (m_lateEvents > 0) out.warn("events that only later parts of the text have are left out");
        if (m_negative > 0)
            out.warn(text::counted(m_negative, "cost below 0 is", "costs below 0 are") + " left out: no flame graph shows what is below 0");
        if (m_isOfCallgrind && m_ended < m_parts) out.warn("the text ends before its totals: it is cut, or the program was killed");
        if (m_ended < m_parts || m_ended == 0 || m_arcs->totals().empty()) return;
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const auto sum = static_cast<std::uint64_t>(m_arcs->totals()[i]);
            if (sum == m_totals[i]) continue;
            out.warn("the text says that all costs are " + std::to_string(m_totals[i]) + ' ' + m_events[i] + ", but its lines add up to "
                + std::to_string(sum));
            return;
        }
    }

    text::Imported& m_out;
    Interned m_names;
    std::size_t m_nameBytes = 0;
    Ids m_fileIds, m_functionIds, m_objectIds;
    std::optional<text::CallArcs> m_arcs; ///< made when the events are known
    std::unordered_map<Key, std::uint32_t, HashOfKey> m_functions;
    std::vector<Key> m_keys;       ///< by function
    std::vector<bool> m_isDefined; ///< by function: it has a line "fn="
    std::unordered_map<std::uint32_t, bool> m_threads;
    std::vector<std::string> m_events;
    std::vector<std::size_t> m_columns; ///< the events of this part, as indexes of m_events
    std::vector<std::uint64_t> m_totals;
    std::size_t m_positions = 1, m_linePosition = 0, m_parts = 0, m_ended = 0, m_lateEvents = 0;
    std::uint64_t m_line = 0, m_negative = 0;
    std::uint32_t m_thread = 0, m_object = m_names.of(""), m_file = m_object, m_functionFile = m_object, m_function = 0, m_callee = 0;
    std::optional<std::uint32_t> m_called, m_calledObject, m_calledFile;
    std::int64_t m_calls = 0;
    bool m_hasFunction = false, m_isCall = false, m_isOfCallgrind = false;
};

class Callgrind final : public text::Importer {
public:
    std::string_view name() const override { return "callgrind"; }
    std::string_view summary() const override
    {
        return "profiles of valgrind's callgrind and cachegrind, and of tools that write the same: a call graph, stacks derived from it";
    }

    Guess guess(std::string_view head) const override
    {
        if (head.starts_with("# callgrind format")) return Guess::Yes;
        text::Lines lines(head);
        std::string_view line;
        bool hasEvents = false;
        for (int i = 0; i < 200 && lines.next(line); ++i) {
            hasEvents = hasEvents || line.starts_with("events: ");
            if (!hasEvents && i > 40) return Guess::No;
            for (const std::string_view place : {"fn=", "fl=", "ob="})
                if (hasEvents && line.starts_with(place)) return Guess::Yes;
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        CallgrindReader reader(out);
        std::string_view line;
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % 1024 == 0) { DSCOPE_CHECK(reader.check()); }
        }
        DSCOPE_CHECK(reader.check());
        if (reader.empty()) return out.nothing("there is no function (\"fn=\") with a cost in it");
        DSCOPE_CHECK(reader.put(out, lines.path()));
        if (out.records.empty()) return out.nothing("no function in it has a cost");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_callgrind() { return std::make_unique<Callgrind>(); }
} // namespace dscope::importers
