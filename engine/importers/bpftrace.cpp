#include "engine/text/bpf_frames.h"
#include "engine/text/bpftrace_rows.h"
#include "engine/text/bpftrace_stack_key.h"
#include "engine/text/json.h"
#include "engine/text/printed_maps.h"
#include "engine/text/printed_stacks.h"
#include "engine/text/stack_counts.h"
#include "engine/text/times_of_day.h"
#include "engine/text/words.h"
#include <algorithm>
#include <cctype>
namespace dscope::importers {
namespace {
using record::Aggregator;
using text::Guess;
using text::integer;
using text::PrintedRange;
using text::trimmed;

class BpftraceReader {
public:
    BpftraceReader(text::Imported& out, text::Lines& lines) : m_out(out), m_stackKey(lines, m_stacks.counts()) { }

    void line(std::string_view line, std::size_t number)
    {
        m_number = number;
        if (m_inKey) return inKey(line);
        if (m_inTable && row(line)) return;
        if (m_inTable) endTable();
        if (line.empty()) return separate();
        if (line.front() == '{') return json(line);
        if (line.front() == '@') return map(line);
        if (const auto end = m_clock.read(line)) {
            separate();
            m_lastTable.clear();
            line = trimmed(line.substr(*end));
            if (line.starts_with('@')) map(line);
            return;
        }
        other(line);
    }

    void end()
    {
        if (m_inKey) m_out.misunderstand(m_number, "the text ends within a key");
        if (m_inTable) endTable();
        m_stacks.finish(m_out);
        m_maps.put(m_out, [by = separator()](std::string_view key) { return text::bpftraceKeys(key, by); });
        tell();
    }

private:
    /// "@name[keys]: value"
    void map(std::string_view line)
    {
        const auto end = std::find_if_not(line.begin() + 1, line.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
        const auto nameEnd = static_cast<std::size_t>(end - line.begin());
        if (nameEnd == line.size() || (line[nameEnd] != '[' && line[nameEnd] != ':')) return m_out.misunderstand(m_number, line);
        const auto name = line.substr(1, nameEnd - 1);
        m_isOther = m_isOther || name != m_name;
        m_name = name;
        m_key.clear();
        if (line[nameEnd] == ':') return value(trimmed(line.substr(nameEnd + 1)));
        const auto rest = line.substr(nameEnd + 1);
        const auto close = closeOf(rest);
        if (close != std::string_view::npos) {
            m_key = rest.substr(0, close);
            if (m_key.empty()) m_key = " "; // an empty text; no key at all is another thing
            return value(trimmed(rest.substr(close + 2)));
        }
        m_inKey = true; // stacks span lines
        m_isText = !trimmed(rest).empty() && !trimmed(rest).ends_with(',');
        m_stackKey.begin();
        m_key = rest;
        if (!m_isText) m_stackKey.others(rest, separator());
    }

    /// Where the keys end: at the last "]:" in front of a value, or at the end of the line.
    static std::size_t closeOf(std::string_view rest)
    {
        for (auto at = rest.rfind("]:"); at != std::string_view::npos; at = at == 0 ? std::string_view::npos : rest.rfind("]:", at - 1))
            if (at + 2 == rest.size() || rest[at + 2] == ' ') return at;
        return std::string_view::npos;
    }

    /// A line between "@[" and "]: value": a frame, or keys before or behind a stack; or more of a text that is a key.
    void inKey(std::string_view line)
    {
        if (!m_isText && m_stackKey.takeKnown(line)) return;
        if (const auto close = closeOf(line); close != std::string_view::npos && endKey(line, close)) return;
        if (m_isText) {
            (m_key += '\n') += line;
            if (m_key.size() > kLongestText) endText(line);
            return;
        }
        if (line.starts_with(',')) return m_stackKey.others(line, separator());
        if (trimmed(line).empty()) return;
        // After an address, the next one may be just "0": the caller of code that keeps no frame pointers. A key would follow a comma.
        const bool isShort = m_stackKey.hasFrames() && line.find_first_not_of(text::kHexDigits) == std::string_view::npos;
        if (line.front() == ' ' || line.front() == '\t' || isShort || text::isRawFrame(line)) return m_stackKey.frame(line);
        m_stackKey.others(line, separator());
    }

    /// False: no value is behind the bracket.
    bool endKey(std::string_view line, std::size_t close)
    {
        const auto behind = trimmed(line.substr(close + 2));
        if (m_isText) {
            (m_key += '\n') += line.substr(0, close);
            m_inKey = false;
            value(behind);
            return true;
        }
        const auto n = integer(behind);
        if (!n && !behind.empty() && !behind.starts_with("count ") && !behind.starts_with("{ .count")) return false;
        m_stackKey.others(line.substr(0, close), separator());
        m_stackKey.end();
        m_inKey = false;
        if (n) return stack(m_name, *n), true;
        const auto count = text::bpftraceMember(behind, "count"), total = text::bpftraceMember(behind, "total");
        if (count && total) return stackStats(*count, *total), true;
        ++m_leftOut.stackValues; // a histogram by stacks
        m_skipsTable = m_inTable = behind.empty();
        return true;
    }

    void endText(std::string_view line)
    {
        m_inKey = false;
        m_out.misunderstand(m_number, line);
    }

    /// How many values the stack has, and their sum.
    void stackStats(std::int64_t count, std::int64_t total)
    {
        const auto stacks = m_stackKey.stacks();
        const bool isOther = m_isOther;
        stack(m_name, total);
        m_stackKey.stacks() = stacks;
        m_isOther = isOther;
        stack(m_name + ".count", count); // no map has that name
    }

    void stack(const std::string& map, std::int64_t value)
    {
        if (value < 0) {
            ++m_leftOut.negative;
            return;
        }
        if (m_isOther && !m_isJson) m_stacks.begin(map);
        m_isOther = false;
        m_lastTable.clear();
        const bool isNew = m_stacks.add(map, m_stackKey.keys(), m_stackKey.stacks(), value);
        if (!isNew) ++(m_isJson ? m_leftOut.collisions : m_leftOut.sameStacks);
    }

    void value(std::string_view text)
    {
        m_inTable = text.empty(); // a histogram follows
        if (m_inTable) return;
        begin();
        const auto count = text::bpftraceMember(text, "count"), total = text::bpftraceMember(text, "total");
        if (count && total && (text.starts_with("count ") || text.starts_with('{'))) return stats(*count, *total);
        if (const auto n = integer(text)) return m_maps.number(m_name, m_key, *n);
        if (text == "true" || text == "false") return m_maps.number(m_name, m_key, text == "true" ? 1 : 0);
        if (text::isDigits(text)) {
            ++m_leftOut.tooLarge;
            return;
        }
        leaveOut(text);
    }

    void stats(std::int64_t count, std::int64_t total)
    {
        m_maps.number(m_name, m_key, total, Aggregator::Sum);
        m_maps.average(m_name, m_key, count, total);
    }

    /// Another printing of the map that a row is of begins behind other lines, or where a key comes again.
    void begin()
    {
        if (m_isOther || m_maps.has(m_name, m_key)) m_maps.begin(m_name, m_clock.now());
        m_isOther = false;
        m_lastTable.clear();
    }

    void separate() { m_isOther = true; }
    /// Between keys.
    std::string_view separator() const { return m_isJson ? "," : ", "; }

    /// A line behind "@name:": of a histogram, of a series, or of a stack that is a value. False: none of them.
    bool row(std::string_view line)
    {
        if (const auto row = text::bpftraceRow(line)) {
            m_rows.push_back(*row);
            return true;
        }
        if (line.empty()) return false;
        if (const auto point = text::pointOf(line, m_clock)) {
            m_maps.point(m_name, m_key, point->first, point->second);
            return m_isSeries = true;
        }
        if (text::isAxisOfSeries(line)) return m_isSeries = true;
        if ((line.front() == ' ' || line.front() == '\t') && m_rows.empty()) {
            if (!m_isStackValue) ++m_leftOut.stackValues;
            return m_isStackValue = true;
        }
        return false;
    }

    void endTable()
    {
        m_inTable = false;
        if (!m_rows.empty() && !m_skipsTable) {
            // Histograms of one printing have blank lines between them.
            if ((m_isOther && m_lastTable != m_name) || m_maps.has(m_name, m_key)) m_maps.begin(m_name, m_clock.now());
            m_isOther = false;
            m_lastTable = m_name;
            m_maps.ranges(m_name, m_key, m_rows);
        } else if (m_rows.empty() && !m_isSeries && !m_isStackValue && !m_skipsTable)
            m_out.misunderstand(m_number, "@" + m_name + ": without rows");
        m_skipsTable = m_isSeries = m_isStackValue = false;
        m_rows.clear();
    }

    void other(std::string_view line)
    {
        separate();
        m_lastTable.clear();
        const bool isQuiet = line.starts_with("Attaching ") || line.starts_with("Attached ") || line == "^C";
        if (isQuiet) return;
        if (line.starts_with("Lost ") && line.ends_with(" events")) {
            if (const auto n = integer(trimmed(line.substr(5, line.size() - 12)))) return lost(*n);
        }
        for (const std::string_view word : {"ERROR: ", "WARNING: "})
            if (const auto at = line.find(word); at != std::string_view::npos && (at == 0 || line[at - 1] == ' '))
                return said(line.substr(at));
        m_out.misunderstand(m_number, line);
    }

    void lost(std::int64_t events)
    {
        if (events > 0) m_leftOut.lost += static_cast<std::uint64_t>(events);
    }

    void said(std::string_view what)
    {
        if (m_leftOut.said++ == 0) m_leftOut.firstSaid = what.substr(0, kShown);
    }

    void leaveOut(std::string_view text)
    {
        if (m_leftOut.texts++ == 0) m_leftOut.firstText = '@' + m_name + ": " + std::string(text.substr(0, kShown));
    }

    // -- one JSON object a line, of -f json ------------------------------------------------------------------------
    void json(std::string_view line)
    {
        m_isJson = true;
        text::JsonReader reader(line);
        std::string type;
        bool isKnown = false;
        const bool isWhole = reader.members([&](std::string_view name) {
            if (name == "type") return reader.kind() == text::JsonReader::Kind::Text ? reader.text(type) : reader.skip();
            if (name == "msg" && (type == "errorf" || type == "warnf" || type.ends_with("_error"))) return message(reader, isKnown);
            if (name != "data") return reader.skip();
            return data(reader, type, isKnown);
        });
        if (!isWhole || !reader.atEnd() || !isKnown) m_out.misunderstand(m_number, line);
    }

    bool message(text::JsonReader& reader, bool& isKnown)
    {
        if (reader.kind() != text::JsonReader::Kind::Text) return reader.skip();
        std::string text;
        if (!reader.text(text)) return false;
        said(text);
        return isKnown = true;
    }

    bool data(text::JsonReader& reader, const std::string& type, bool& isKnown)
    {
        using Kind = text::JsonReader::Kind;
        isKnown = true;
        if (type == "attached_probes") return reader.skip();
        if (type == "lost_events" && reader.kind() == Kind::Object)
            return reader.members([&](std::string_view) {
                if (reader.kind() != Kind::Number) return reader.skip();
                const auto n = reader.number();
                if (n) lost(integer(*n).value_or(0));
                return n.has_value();
            });
        if (type == "time" && reader.kind() == Kind::Text) {
            std::string text;
            if (!reader.text(text)) return false;
            m_clock.read(trimmed(std::string_view(text).substr(0, text.find('\n'))));
            return true;
        }
        if (type == "map" || type == "stats" || type == "hist" || type == "lhist" || type == "tseries") {
            if (reader.kind() != Kind::Object) return isKnown = false, reader.skip();
            return reader.members([&](std::string_view name) {
                m_name = name.starts_with('@') ? name.substr(1) : name;
                m_key.clear();
                m_maps.begin(m_name, m_clock.now());
                m_stacks.begin(m_name);
                m_stacks.begin(m_name + ".count");
                return jsonValue(reader, type, Depth::Map);
            });
        }
        ++m_leftOut.printed; // printf(), print() of a value, system(), cat(), join()
        return reader.skip();
    }

    enum class Depth : std::uint8_t { Map, Key };

    bool jsonValue(text::JsonReader& reader, const std::string& type, Depth depth)
    {
        using Kind = text::JsonReader::Kind;
        switch (reader.kind()) {
        case Kind::Object: return type == "stats" ? jsonStats(reader, depth) : depth == Depth::Map ? jsonKeys(reader, type) : reader.skip();
        case Kind::Array:
            if (type == "tseries") return jsonPoints(reader);
            if (type == "hist" || type == "lhist") return jsonRows(reader);
            leaveOut("a tuple");
            return reader.skip();
        case Kind::Number: {
            const auto number = reader.number();
            if (number) jsonNumber(*number, type);
            return number.has_value();
        }
        case Kind::Text: {
            std::string text;
            if (!reader.text(text)) return false;
            if (text::isDigits(text))
                jsonNumber(text, type); // above the largest of signed numbers
            else if (text.starts_with('\n'))
                ++m_leftOut.stackValues;
            else
                leaveOut(text);
            return true;
        }
        case Kind::Word: {
            const bool isTrue = wordIsTrue(reader);
            if (!collides()) m_maps.number(m_name, m_key, isTrue ? 1 : 0);
            return !reader.failed();
        }
        case Kind::None: break;
        }
        return false;
    }

    /// true, false or null, which are passed: all the reader says of a word is how long it is.
    static bool wordIsTrue(text::JsonReader& reader)
    {
        const auto from = reader.position();
        reader.skip();
        return reader.position() - from <= 4;
    }

    void jsonNumber(std::string_view number, const std::string& type)
    {
        const auto n = integer(number);
        if (!n) {
            ++m_leftOut.tooLarge;
            return;
        }
        if (hasStackKey() && type == "stats") {
            ++m_leftOut.stackValues; // an average without its count
            return;
        }
        if (hasStackKey()) return readStackKey(), stack(m_name, *n);
        collides();
        if (type == "stats")
            m_maps.average(m_name, m_key, 0, *n); // an average without its count
        else
            m_maps.number(m_name, m_key, *n);
    }

    bool collides()
    {
        const bool isThere = m_maps.has(m_name, m_key);
        if (isThere) ++m_leftOut.collisions;
        return isThere;
    }

    void jsonKey(std::string_view key) { m_key = key.empty() ? " " : text::BpftraceStackKey::withLineEnds(key); }
    bool hasStackKey() const { return text::BpftraceStackKey::isStack(m_key); }
    void readStackKey() { m_stackKey.read(m_key, separator()); }

    bool jsonKeys(text::JsonReader& reader, const std::string& type)
    {
        return reader.members([&](std::string_view key) {
            jsonKey(key);
            return jsonValue(reader, type, Depth::Key);
        });
    }

    /// {"count": 2, "average": 6, "total": 12}, or such objects or averages by keys.
    bool jsonStats(text::JsonReader& reader, Depth depth)
    {
        using Kind = text::JsonReader::Kind;
        std::optional<std::int64_t> count, average, total;
        std::vector<std::pair<std::string, std::int64_t>> averages;
        const bool isWhole = reader.members([&](std::string_view name) {
            const std::string key(name);
            if (reader.kind() == Kind::Object && depth == Depth::Map) {
                jsonKey(key);
                return jsonStats(reader, Depth::Key);
            }
            if (reader.kind() != Kind::Number) return reader.skip();
            const auto text = reader.number();
            const auto n = text ? integer(*text) : std::nullopt;
            if (!n) {
                ++m_leftOut.tooLarge;
                return text.has_value();
            }
            (key == "count" ? count : key == "average" ? average : key == "total" ? total : average) = n;
            averages.emplace_back(key, *n);
            return true;
        });
        if (count && average && total && averages.size() == 3) {
            if (depth == Depth::Map) m_key.clear();
            if (hasStackKey()) return readStackKey(), stackStats(*count, *total), isWhole;
            collides();
            stats(*count, *total);
            return isWhole;
        }
        for (const auto& [key, n] : averages) {
            jsonKey(key);
            if (hasStackKey()) {
                ++m_leftOut.stackValues;
                continue;
            }
            collides();
            m_maps.average(m_name, m_key, 0, n);
        }
        return isWhole;
    }

    bool jsonRows(text::JsonReader& reader)
    {
        using Kind = text::JsonReader::Kind;
        m_rows.clear();
        bool isOdd = false;
        const bool isWhole = reader.elements([&] {
            if (reader.kind() != Kind::Object) return isOdd = true, reader.skip();
            PrintedRange row;
            std::optional<std::int64_t> count;
            const bool isRead = reader.members([&](std::string_view name) {
                auto& to = name == "min" ? row.low : name == "max" ? row.high : count;
                if (reader.kind() != Kind::Number) return isOdd = true, reader.skip();
                const auto number = reader.number();
                to = number ? integer(*number) : std::nullopt;
                isOdd = isOdd || !to;
                return number.has_value();
            });
            if (!count || *count < 0)
                isOdd = true;
            else {
                row.count = *count;
                m_rows.push_back(row);
            }
            return isRead;
        });
        if (hasStackKey())
            ++m_leftOut.stackValues;
        else if (!m_rows.empty() && !isOdd) {
            collides();
            m_maps.ranges(m_name, m_key, m_rows);
        } else
            m_out.misunderstand(m_number, "@" + m_name + ": a row without numbers, or no row");
        m_rows.clear();
        return isWhole;
    }

    bool jsonPoints(text::JsonReader& reader)
    {
        using Kind = text::JsonReader::Kind;
        return reader.elements([&] {
            if (reader.kind() != Kind::Object) return reader.skip();
            std::string when;
            std::optional<std::int64_t> value;
            const bool isRead = reader.members([&](std::string_view name) {
                if (name == "interval_start" && reader.kind() == Kind::Text) return reader.text(when);
                if (name != "value" || reader.kind() != Kind::Number) return reader.skip();
                const auto number = reader.number();
                if (number) value = integer(*number);
                return number.has_value();
            });
            const auto at = m_clock.timeOf(when);
            if (at && value)
                m_maps.point(m_name, m_key, *at, *value);
            else
                m_out.misunderstand(m_number, "@" + m_name + ": a point without a time or a value");
            return isRead;
        });
    }

    void tell()
    {
        const auto& out = m_leftOut;
        const auto number = [](std::size_t n, const char* one, const char* many) { return std::to_string(n) + (n == 1 ? one : many); };
        if (out.collisions > 0)
            m_out.warn(number(out.collisions, " key has", " keys have")
                + " the name of another key of the same map (bpftrace -f json takes blanks out of names): their values are added up");
        if (out.sameStacks > 0)
            m_out.warn(number(out.sameStacks, " stack was", " stacks were")
                + " printed more than once in one printing, as of several processes with the same addresses: their values are added up");
        if (out.texts > 0)
            m_out.warn(number(out.texts, " value is", " values are") + " text, which no figure draws (the first: " + out.firstText + ')');
        if (out.stackValues > 0) m_out.warn(number(out.stackValues, " stack has", " stacks have") + " no count: left out");
        if (out.negative > 0) m_out.warn(number(out.negative, " stack has", " stacks have") + " a negative value: left out");
        if (out.tooLarge > 0) m_out.warn(number(out.tooLarge, " value is", " values are") + " above 9223372036854775807: left out");
        if (out.printed > 0) m_out.warn(number(out.printed, " line", " lines") + " of printf(), print() of a value and the like: left out");
        if (out.lost > 0) m_out.warn("bpftrace lost " + std::to_string(out.lost) + " events: counts may be too small");
        if (out.said > 0)
            m_out.warn(
                "bpftrace said " + number(out.said, " warning or error", " warnings or errors") + " (the first: " + out.firstSaid + ')');
    }

    struct LeftOut {
        std::size_t collisions = 0, sameStacks = 0, texts = 0, stackValues = 0, negative = 0, tooLarge = 0, printed = 0, said = 0;
        std::uint64_t lost = 0;
        std::string firstText, firstSaid;
    };
    static constexpr std::size_t kShown = 80, kLongestText = 65'536;

    text::Imported& m_out;
    text::PrintedStacks m_stacks;
    text::BpftraceStackKey m_stackKey;
    text::PrintedMaps m_maps;
    text::TimesOfDay m_clock;
    LeftOut m_leftOut;
    std::string m_name, m_key, m_lastTable; ///< m_lastTable: the map of the histogram before, if nothing came in between
    std::vector<PrintedRange> m_rows;
    std::size_t m_number = 0;
    bool m_inKey = false, m_isText = false, m_inTable = false, m_skipsTable = false, m_isSeries = false, m_isStackValue = false,
         m_isOther = true, m_isJson = false;
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
        BpftraceReader reader(out, lines);
        text::readAll(lines, reader);
        reader.end();
        if (out.records.empty()) return out.nothing("there is no map in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_bpftrace() { return std::make_unique<Bpftrace>(); }
} // namespace dscope::importers
