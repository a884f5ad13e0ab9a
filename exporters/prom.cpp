#include "exporters/prom.h"
#include "exporters/exporter.h"
#include "graph/metrics.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <set>
namespace dscope::exporters {
namespace {
using graph::Metric;
using graph::Unit;

bool isNameLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
/// What names of metrics and labels may have: [a-zA-Z_][a-zA-Z0-9_]*; anything else is an underscore, several of them one. Two in front are
/// Prometheus' own.
std::string nameOf(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (isNameLetter(c) && !(c == '_' && out == "_"))
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    while (out.ends_with('_'))
        out.pop_back();
    return out.empty() || (out.front() >= '0' && out.front() <= '9') ? '_' + out : out;
}
std::string escaped(std::string_view raw)
{
    std::string out;
    for (const char c : graph::printable(raw)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}
/// Whether a text has a backslash and three digits of its own, as labelValue() writes a byte.
bool looksEscaped(std::string_view text)
{
    constexpr std::size_t kDigits = 3;
    for (auto at = text.find('\\'); at != text.npos; at = text.find('\\', at + 1))
        if (text.substr(at + 1, kDigits).find_first_not_of("01234567") == text.npos && text.size() - at > kDigits) return true;
    return false;
}
/// A label's value. Different texts stay different: bytes that are not UTF-8 and invisible characters are written as C escapes them,
/// "\\377". Where a text contains such an escape itself, each of its backslashes is written this way, too.
std::string labelValue(std::string_view raw)
{
    const bool isDoubtful = looksEscaped(raw);
    if (graph::isPlain(raw) && !isDoubtful) return escaped(raw);
    std::string out;
    for (std::size_t at = 0; at < raw.size();) {
        const auto begin = at;
        graph::nextCodePoint(raw, at);
        const auto one = raw.substr(begin, at - begin);
        if (one == "\n")
            out += "\\n";
        else if (graph::printable(one) == one && !(isDoubtful && one == "\\"))
            out += escaped(one);
        else
            for (const char c : one) {
                out += R"(\\)";
                for (const unsigned shift : {6U, 3U, 0U})
                    out += static_cast<char>('0' + ((static_cast<unsigned char>(c) >> shift) & 7U));
            }
    }
    return out;
}
std::string number(double value)
{
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}
std::string number(const graph::Number& value)
{
    return value.isWhole() ? graph::digitsOf(value.wide())
        : value.isReal()   ? number(static_cast<double>(value))
                           : graph::decimalNumber(value);
}
/// With the point so many digits further to the left, and no zero behind it that says nothing.
std::string shifted(graph::WideInteger value, std::size_t digits)
{
    auto text = graph::digitsOf(value < 0 ? -value : value);
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, ".");
    text.resize(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return value < 0 ? '-' + text : text;
}
/// Each once: what is left of different expressions may be the same. `endings`: what samples add to it, which are taken with it.
std::string once(const std::string& plain, std::set<std::string>& taken, std::initializer_list<const char*> endings = {""})
{
    auto name = plain;
    const auto isTaken = [&](const char* ending) { return taken.contains(name + ending); };
    for (int i = 2; std::any_of(endings.begin(), endings.end(), isTaken); ++i)
        name = plain + '_' + std::to_string(i);
    for (const auto* ending : endings)
        taken.insert(name + ending);
    return name;
}

/// One aggregation. Values are in base units, as the format wants them: seconds and bytes.
class Family {
public:
    Family(const Metric& metric, std::set<std::string>& names) : m_metric(metric)
    {
        if (metric.measure.unit == Unit::Nanoseconds) m_unit = "seconds", m_scale = metric.measure.scale, m_divisor = 1e9;
        if (metric.measure.unit == Unit::Bytes) m_unit = "bytes", m_scale = metric.measure.scale;
        std::string name = "dscope_" + (metric.name.empty() ? "value" : nameOf(metric.name));
        // A counter's number is no time nor size, whatever was counted.
        if (metric.kind == Metric::Kind::Counter) m_unit.clear(), m_scale = m_divisor = 1;
        if (!m_unit.empty() && !name.ends_with('_' + m_unit)) name += '_' + m_unit;
        if (metric.kind == Metric::Kind::Counter && name.ends_with("_total")) name.resize(name.size() - std::string_view("_total").size());
        using Kind = Metric::Kind;
        m_name = metric.kind == Kind::Counter ? once(name, names, {"", "_total", "_created"})
            : metric.kind == Kind::Buckets    ? once(name, names, {"", "_bucket", "_count", "_sum", "_created"})
                                              : once(name, names);
    }

    void write(std::ostream& out) const
    {
        using Kind = Metric::Kind;
        const auto* type = m_metric.kind == Kind::Counter ? "counter" : m_metric.kind == Kind::Buckets ? "histogram" : "gauge";
        out << "# TYPE " << m_name << ' ' << type << '\n';
        if (!m_unit.empty() && m_name.ends_with('_' + m_unit)) out << "# UNIT " << m_name << ' ' << m_unit << '\n';
        // A quote is escaped here in OpenMetrics, which Prometheus' older text format refuses: none is read by both.
        auto help = m_metric.describes + leftOut();
        std::replace(help.begin(), help.end(), '"', '\'');
        out << "# HELP " << m_name << ' ' << escaped(help) << '\n';
        const auto ends = m_metric.kind == Kind::Buckets ? endTexts() : std::vector<std::string>();
        for (const auto& row : m_metric.rows)
            if (m_metric.kind != Kind::Buckets)
                out << m_name << (m_metric.kind == Kind::Counter ? "_total" : "") << labels(row, {}) << ' ' << inBaseUnit(row.value)
                    << '\n';
            else if (!hasNegative(row))
                writeBuckets(row, ends, out);
    }

private:
    /// Increments of less than zero leave such counts, which no histogram can have.
    static bool hasNegative(const Metric::Row& row)
    {
        return std::any_of(row.buckets.begin(), row.buckets.end(), [](const auto& bucket) { return bucket.second < graph::Number(0); });
    }
    std::string leftOut() const
    {
        const auto number = std::count_if(m_metric.rows.begin(), m_metric.rows.end(), hasNegative);
        if (number == 0) return {};
        return "; left out: " + std::to_string(number) + (number == 1 ? " row with a count" : " rows with counts") + " below zero";
    }

    static std::string labels(const Metric::Row& row, const std::string& most)
    {
        std::string out;
        std::set<std::string> taken{"le"};
        for (const auto& [name, value] : row.keys)
            out += (out.empty() ? "" : ",") + once(nameOf(name), taken) + "=\"" + labelValue(value) + '"';
        if (!most.empty()) out += (out.empty() ? "" : ",") + std::string("le=\"") + most + '"';
        return out.empty() ? out : '{' + out + '}';
    }

    std::vector<std::string> endTexts() const
    {
        std::vector<std::string> out;
        for (const auto& end : m_metric.ends)
            out.push_back(inBaseUnit(end));
        return out;
    }

    /// Every row has all ends, and each counts what is below it, too. Neither _sum, which quantize() does not keep, nor _count, which
    /// OpenMetrics has only beside a _sum: it is what is in the bucket +Inf.
    void writeBuckets(const Metric::Row& row, const std::vector<std::string>& ends, std::ostream& out) const
    {
        graph::Number sum;
        auto next = row.buckets.begin();
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (; next != row.buckets.end() && next->first == i; ++next)
                sum += next->second;
            out << m_name << "_bucket" << labels(row, ends[i]) << ' ' << number(sum) << '\n';
        }
        out << m_name << "_bucket" << labels(row, "+Inf") << ' ' << number(row.value) << '\n';
    }

    const Metric& m_metric;
    std::string m_name, m_unit;
    /// In the base unit, to the last digit of what is whole; divided rather than multiplied by a fraction, so that 511 ns is 5.11e-07.
    std::string inBaseUnit(const graph::Number& value) const
    {
        if (m_scale == 1 && m_divisor == 1) return number(value);
        constexpr std::size_t kNanoDigits = 9;
        constexpr graph::WideInteger kExact = 1'000'000'000'000'000; // a double has room for these digits
        constexpr double kLargestScale = 1e9;
        if (value.isWhole() && m_scale == std::floor(m_scale) && m_scale <= kLargestScale) {
            const auto scaled = value.wide() * static_cast<std::int64_t>(m_scale);
            if (m_divisor == 1) return graph::digitsOf(scaled);
            if (scaled > kExact || scaled < -kExact) return shifted(scaled, kNanoDigits);
        }
        return number(static_cast<double>(value) * m_scale / m_divisor);
    }
    double m_scale = 1, m_divisor = 1;
};

/// Source: OpenMetrics 1.0 (prometheus/OpenMetrics), text format.
class Prom final : public Exporter {
public:
    std::string_view suffix() const override { return "prom"; }
    std::string_view summary() const override { return "OpenMetrics, for Prometheus and others"; }
    bool accepts(const graph::Visual& visual) const override { return dynamic_cast<const graph::HasMetrics*>(&visual) != nullptr; }
    bool takesMetrics() const override { return true; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto* numbers = dynamic_cast<const graph::HasMetrics*>(&visual);
        const auto metrics = !options.metrics.empty() ? options.metrics : numbers ? numbers->metrics() : std::vector<Metric>();
        if (metrics.empty()) return Error{0, "only the numbers of one run can be written as OpenMetrics"};
        writeOpenMetrics(metrics, out);
        if (!out) return Error{0, "cannot write the numbers"};
        return {};
    }
};
} // namespace

void writeOpenMetrics(std::span<const Metric> metrics, std::ostream& out)
{
    std::set<std::string> names;
    for (const auto& metric : metrics)
        Family(metric, names).write(out);
    out << "# EOF\n";
}

std::unique_ptr<Exporter> make_prom() { return std::make_unique<Prom>(); }
} // namespace dscope::exporters
