#include "engine/text/function_names.h"
#include "engine/text/known_lines.h"
#include "engine/text/stack_counts.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
namespace dscope::importers {
namespace {
using record::Aggregator;
using text::Guess;
using text::integer;
using text::PrintedRow;
using text::trimmed;

/// "512", "-4", "1K", "2M": the letters are powers of 1024.
std::optional<std::int64_t> scaled(std::string_view s)
{
    int shift = 0;
    if (!s.empty())
        if (const auto unit = std::string_view("KMGTPE").find(s.back()); unit != std::string_view::npos) {
            shift = 10 * static_cast<int>(unit + 1);
            s.remove_suffix(1);
        }
    const auto value = integer(s);
    if (!value || *value > (INT64_MAX >> shift) || *value < (INT64_MIN >> shift)) return {};
    return *value * (std::int64_t{1} << shift);
}
/// "std::f(int)+12": without the offset, a decimal number, and the parameters.
std::string_view functionOf(std::string_view frame)
{
    const auto plus = frame.rfind('+');
    if (plus != std::string_view::npos && plus > 0 && text::isDigits(frame.substr(plus + 1))) frame = frame.substr(0, plus);
    return text::withoutParameters(frame);
}
std::vector<std::string> keysOf(std::string_view list)
{
    std::vector<std::string> keys;
    while (true) {
        const auto end = std::min(list.find(", "), list.size());
        keys.emplace_back(trimmed(list.substr(0, end)));
        if (end == list.size()) return keys;
        list.remove_prefix(end + 2);
    }
}
/// "[2, 4)     5 |@@@    |", "[0]  3 |@|", "(..., 0)", "[100, ...)": a row of a histogram.
std::optional<PrintedRow> rowOf(std::string_view line)
{
    if (line.empty() || (line.front() != '[' && line.front() != '(') || !line.ends_with('|')) return {};
    const auto close = line.find_first_of("])");
    const auto bar = line.find('|');
    if (close == std::string_view::npos || bar < close) return {};
    const auto count = integer(trimmed(line.substr(close + 1, bar - close - 1)));
    const auto range = line.substr(1, close - 1);
    const auto comma = range.find(',');
    const auto low = trimmed(range.substr(0, comma)), high = comma == std::string_view::npos ? low : trimmed(range.substr(comma + 1));
    const auto value = scaled(low == "..." ? high : low);
    if (!count || !value) return {};
    return PrintedRow{low == "..." ? PrintedRow::Kind::Below
            : high == "..."        ? PrintedRow::Kind::AtLeast
                                   : PrintedRow::Kind::Value,
        *value, *count};
}

class Reader {
public:
    Reader(text::Imported& out, text::Lines& lines) : m_out(out), m_lines(lines) { }

    void line(std::string_view line, std::size_t number)
    {
        m_number = number;
        if (m_inKey) return inKey(line);
        if (m_inTable) {
            if (const auto row = rowOf(line)) {
                m_rows.push_back(*row);
                return;
            }
            endTable();
        }

        if (line.empty() || line.starts_with("Attaching ") || line == "^C") return;
        if (line.front() == '{') return json(line);
        if (line.front() != '@') return m_out.misunderstand(number, line);
        // @name[keys]: value
        const auto bracket = line.find_first_of("[:");
        if (bracket == std::string_view::npos) return m_out.misunderstand(number, line);
        m_tables.name(std::string(line.substr(1, bracket - 1)));
        m_name = line.substr(1, bracket - 1);
        m_keys.clear();
        if (line[bracket] == ':') return value(trimmed(line.substr(bracket + 1)), line);
        const auto close = line.rfind("]:");
        if (close == std::string_view::npos) { // stacks span lines
            m_inKey = true;
            m_frames.assign(1, {});
            m_stackKeys.clear();
            if (const auto rest = trimmed(line.substr(bracket + 1)); !rest.empty()) inKey(line.substr(bracket + 1));
            return;
        }
        m_keys = keysOf(line.substr(bracket + 1, close - bracket - 1));
        value(trimmed(line.substr(close + 2)), line);
    }

    void end()
    {
        if (m_inTable) endTable();
        m_tables.put(m_out);
        if (!m_stacks.empty()) m_out.add(m_stacks.take("events"));
    }

private:
    /// A line between "@[" and "]: value": a frame, indented, or keys before or behind the stack.
    void inKey(std::string_view line)
    {
        if (auto known = m_lines.find(line)) {
            for (; known; known = m_lines.next())
                m_frames.back().push_back(m_functions[*known]);
            return;
        }

        if (const auto close = line.rfind("]: "); close != std::string_view::npos)
            if (const auto n = integer(trimmed(line.substr(close + 3)))) {
                others(line.substr(0, close));
                m_inKey = false;
                for (const auto& key : m_stackKeys)
                    m_stacks.frame(key);
                // User frames are nearer to the root than kernel frames, which are named first.
                for (auto stack = m_frames.rbegin(); stack != m_frames.rend(); ++stack)
                    for (auto f = stack->rbegin(); f != stack->rend(); ++f)
                        m_stacks.frame(*f);
                m_stacks.add(*n);
                m_lines.stop();
                return;
            }
        if (!line.empty() && (line.front() == ' ' || line.front() == '\t')) {
            const auto frame = trimmed(line);
            if (frame.empty()) return;
            m_lines.of(line);
            m_functions.push_back(m_stacks.numberOf({functionOf(frame)}));
            m_frames.back().push_back(m_functions.back());
            return;
        }
        others(line);
    }

    void others(std::string_view line)
    {
        if (line.starts_with(',')) { // the next key
            line.remove_prefix(1);
            m_frames.emplace_back();
        }
        line = trimmed(line);
        if (line.ends_with(',')) line.remove_suffix(1);
        if (line.empty()) return;
        for (auto& key : keysOf(line))
            if (!key.empty()) m_stackKeys.push_back(std::move(key));
    }

    void value(std::string_view text, std::string_view line)
    {
        if (text.empty()) {
            m_inTable = true; // a histogram follows
            return;
        }
        // stats(): "count 5, average 3, total 15"
        if (text.starts_with("count ")) {
            const auto total = text.rfind("total ");
            if (total != std::string_view::npos)
                if (const auto n = integer(trimmed(text.substr(total + 6)))) return m_tables.number(m_keys, *n, Aggregator::Sum);
        }
        if (const auto n = integer(text)) return m_tables.number(m_keys, *n);
        m_out.misunderstand(m_number, line);
    }

    void endTable()
    {
        m_inTable = false;
        if (auto d = text::distributionOf(m_rows))
            m_tables.distribution(m_keys, d->shape, std::move(d->buckets));
        else if (!m_rows.empty())
            m_out.misunderstand(m_number, "a histogram of no known kind");
        m_rows.clear();
    }

    // -- one JSON object a line, of -f json ------------------------------------------------------------------------
    void json(std::string_view line)
    {
        const auto object = nlohmann::json::parse(line, nullptr, false);
        if (object.is_discarded() || !object.is_object() || !object.contains("type")) return m_out.misunderstand(m_number, line);
        const auto& type = object["type"];
        if (!object.contains("data") || !object["data"].is_object()) {
            if (type != "attached_probes" && type != "printf" && type != "time" && type != "lost_events")
                m_out.misunderstand(m_number, line);
            return;
        }
        for (const auto& [name, data] : object["data"].items()) {
            m_name = name.starts_with('@') ? name.substr(1) : name;
            m_tables.name(m_name);
            if (type == "map" || type == "stats")
                numbers(data);
            else if (type == "hist" || type == "lhist")
                histograms(data);
        }
    }

    void numbers(const nlohmann::json& data)
    {
        const auto one = [&](const std::vector<std::string>& keys, const nlohmann::json& value) {
            if (value.is_number_integer())
                m_tables.number(keys, value.get<std::int64_t>());
            else if (value.is_object() && value.contains("total") && value["total"].is_number_integer())
                m_tables.number(keys, value["total"].get<std::int64_t>(), Aggregator::Sum);
            else
                m_out.misunderstand(m_number, "a value that is no number");
        };
        if (!data.is_object() || data.contains("total")) return one({}, data);
        for (const auto& [key, value] : data.items()) {
            if (key.find('\n') != std::string::npos && value.is_number_integer())
                stack(key, value.get<std::int64_t>());
            else
                one(jsonKeys(key), value);
        }
    }

    /// Keys stand joined by commas, without blanks.
    static std::vector<std::string> jsonKeys(std::string_view list)
    {
        std::vector<std::string> keys;
        for (;;) {
            const auto end = std::min(list.find(','), list.size());
            keys.emplace_back(list.substr(0, end));
            if (end == list.size()) return keys;
            list.remove_prefix(end + 1);
        }
    }

    void stack(std::string_view key, std::int64_t value)
    {
        m_frames.assign(1, {});
        m_stackKeys.clear();
        for (auto& part : jsonKeys(key)) {
            if (part.find('\n') == std::string::npos) {
                m_stackKeys.push_back(part);
                continue;
            }
            if (!m_frames.back().empty()) m_frames.emplace_back();
            std::string_view rest(part);
            while (!rest.empty()) {
                const auto end = std::min(rest.find('\n'), rest.size());
                if (const auto frame = trimmed(rest.substr(0, end)); !frame.empty())
                    m_frames.back().push_back(m_stacks.numberOf({functionOf(frame)}));
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
        }

        for (const auto& k : m_stackKeys)
            m_stacks.frame(k);
        for (auto s = m_frames.rbegin(); s != m_frames.rend(); ++s)
            for (auto f = s->rbegin(); f != s->rend(); ++f)
                m_stacks.frame(*f);
        m_stacks.add(value);
    }

    void histograms(const nlohmann::json& data)
    {
        const auto one = [&](std::vector<std::string> keys, const nlohmann::json& rows) {
            m_rows.clear();
            for (const auto& row : rows) {
                if (!row.is_object() || !row.contains("count") || !row["count"].is_number_integer()) continue;
                const auto low = row.value("min", nlohmann::json()), high = row.value("max", nlohmann::json());
                PrintedRow printed{PrintedRow::Kind::Value, 0, row["count"].get<std::int64_t>()};
                if (low.is_number_integer())
                    printed.value = low.get<std::int64_t>();
                else if (high.is_number_integer() && high.get<std::int64_t>() != INT64_MAX)
                    printed.value = high.get<std::int64_t>() + 1;
                if (!low.is_number_integer()) printed.kind = PrintedRow::Kind::Below;
                if (!high.is_number_integer()) printed.kind = PrintedRow::Kind::AtLeast;
                m_rows.push_back(printed);
            }
            m_keys = std::move(keys);
            endTable();
        };
        if (data.is_array()) return one({}, data);
        if (!data.is_object()) return;
        for (const auto& [key, rows] : data.items())
            if (rows.is_array()) one(jsonKeys(key), rows);
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    text::Tables m_tables;
    std::string m_name;
    std::vector<std::string> m_keys, m_stackKeys;
    text::KnownLines m_lines;                         ///< that are frames: nearly all lines, and few different ones
    std::vector<std::uint32_t> m_functions;           ///< by number of m_lines
    std::vector<std::vector<std::uint32_t>> m_frames; ///< a stack each, innermost frame first
    std::vector<PrintedRow> m_rows;
    std::size_t m_number = 0;
    bool m_inKey = false, m_inTable = false;
};

/// "{"type": "map", "data": ...": a word and what it is about, an object a line. Other formats have objects with a type, too; none goes on
/// so. Source: bpftrace, src/output.cpp, JsonOutput.
bool isRecordOfJson(std::string_view line)
{
    const auto take = [&](std::string_view what) {
        if (!line.starts_with(what)) return false;
        line.remove_prefix(what.size());
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        return true;
    };
    if (!take("{") || !take("\"type\"") || !take(":") || !take("\"")) return false;
    const auto end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    if (end == 0 || end == std::string_view::npos) return false;
    line.remove_prefix(end);
    return take("\"") && take(",") && take("\"data\"") && take(":");
}

class Bpftrace final : public text::Importer {
public:
    std::string_view name() const override { return "bpftrace"; }
    std::string_view summary() const override { return "what bpftrace prints of its maps, as text or as JSON (-f json)"; }
    bool readsJson() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if (line.starts_with("Attaching ") && line.find(" probe") != std::string_view::npos) return Guess::Yes;
            if (isRecordOfJson(line)) return Guess::Yes;
            if (!line.starts_with('@')) continue;
            // A map's name, its key or its value: other languages have words after an @, too.
            const auto end
                = std::find_if_not(line.begin() + 1, line.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
            if (end != line.end() && (*end == '[' || *end == ':')) return Guess::Yes;
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        Reader reader(out, lines);
        text::readAll(lines, reader);
        reader.end();
        if (out.records.empty()) return out.nothing("there is no map in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_bpftrace() { return std::make_unique<Bpftrace>(); }
} // namespace dscope::importers
