#include "exporters/prom.h"
#include "exporters/exporter.h"
#include "graph/metrics.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <set>
namespace dscope::exporters {
namespace {
using graph::Metric;
using graph::Unit;

bool isNameLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
/// What names of metrics and labels may have: [a-zA-Z_][a-zA-Z0-9_]*; anything else is an underscore, several of them one.
std::string nameOf(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (isNameLetter(c))
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
std::string number(double value)
{
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}
std::string number(const graph::Number& value)
{
    return value.isWhole() ? std::to_string(value.whole()) : number(static_cast<double>(value));
}
/// Each once: what is left of different expressions may be the same.
std::string once(std::string name, std::set<std::string>& taken)
{
    const auto plain = name;
    for (int i = 2; !taken.insert(name).second; ++i)
        name = plain + '_' + std::to_string(i);
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
        m_name = once(name, names);
    }

    void write(std::ostream& out) const
    {
        using Kind = Metric::Kind;
        const auto* type = m_metric.kind == Kind::Counter ? "counter" : m_metric.kind == Kind::Buckets ? "histogram" : "gauge";
        out << "# TYPE " << m_name << ' ' << type << '\n';
        if (!m_unit.empty() && m_name.ends_with('_' + m_unit)) out << "# UNIT " << m_name << ' ' << m_unit << '\n';
        // A quote is escaped here in OpenMetrics, which Prometheus' older text format refuses: none is read by both.
        auto help = m_metric.describes;
        std::replace(help.begin(), help.end(), '"', '\'');
        out << "# HELP " << m_name << ' ' << escaped(help) << '\n';
        for (const auto& row : m_metric.rows)
            if (m_metric.kind == Kind::Buckets)
                writeBuckets(row, out);
            else
                out << m_name << (m_metric.kind == Kind::Counter ? "_total" : "") << labels(row, {}) << ' ' << number(inBaseUnit(row.value))
                    << '\n';
    }

private:
    static std::string labels(const Metric::Row& row, const std::string& most)
    {
        std::string out;
        std::set<std::string> taken{"le"};
        for (const auto& [name, value] : row.keys) {
            const bool isLiteral = name.empty() || name.front() == '"';
            out += (out.empty() ? "" : ",") + once(isLiteral ? "key" : nameOf(name), taken) + "=\"" + escaped(value) + '"';
        }
        if (!most.empty()) out += (out.empty() ? "" : ",") + std::string("le=\"") + most + '"';
        return out.empty() ? out : '{' + out + '}';
    }

    void writeBuckets(const Metric::Row& row, std::ostream& out) const
    {
        graph::Number sum;
        for (const auto& bucket : row.buckets) {
            sum += bucket.count;
            if (bucket.most) out << m_name << "_bucket" << labels(row, number(inBaseUnit(*bucket.most))) << ' ' << number(sum) << '\n';
        }
        out << m_name << "_bucket" << labels(row, "+Inf") << ' ' << number(sum) << '\n';
    }

    const Metric& m_metric;
    std::string m_name, m_unit;
    /// In the base unit; divided rather than multiplied by a fraction, so that 511 ns is 5.11e-07.
    graph::Number inBaseUnit(const graph::Number& value) const
    {
        return m_scale == 1 && m_divisor == 1 ? value : graph::Number(value * m_scale / m_divisor);
    }
    double m_scale = 1, m_divisor = 1;
};

/// Source: OpenMetrics 1.0 (prometheus/OpenMetrics), text format. Buckets have no sum, which quantize() does not keep.
class Prom final : public Exporter {
public:
    std::string_view suffix() const override { return "prom"; }
    std::string_view summary() const override { return "OpenMetrics, for Prometheus and its kin"; }
    bool accepts(const graph::Visual& visual) const override { return dynamic_cast<const graph::HasMetrics*>(&visual) != nullptr; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        const auto* numbers = dynamic_cast<const graph::HasMetrics*>(&visual);
        const auto metrics = numbers ? numbers->metrics() : std::vector<Metric>();
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
