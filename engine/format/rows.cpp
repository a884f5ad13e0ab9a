#include "engine/format/rows.h"
#include "engine/format/charts.h"
#include "engine/format/text.h"
#include "engine/record/buckets.h"
#include "engine/record/value.h"
#include <algorithm>
#include <cmath>
namespace dscope::format {
using namespace record;
namespace {
constexpr int kPackedKey = 16;
constexpr std::uint32_t kMostCpus = 8192; ///< as many as Linux can have

std::string valueText(const RowStyle& style, const Aggregation& a, const std::vector<std::int64_t>& data, std::int64_t divisor)
{
    if (isDistribution(a)) return chart(a, data, divisor, style.scale);
    return ' ' + padded(std::to_string(scalarOf(a.function, data, divisor)), 16);
}

std::string keysText(const Context& context, const Aggregation& a, ByteView key)
{
    std::string out;
    for (const auto& field : a.keys)
        out += keyText(context, field, key);
    return out;
}

/// Columns of a key member where rows are one line each; 0 for what needs more than a line.
int packedWidth(const Field& field)
{
    switch (field.kind) {
    case FieldKind::Stack:
    case FieldKind::UserStack: return 0;
    case FieldKind::Int:
    case FieldKind::Uint: {
        const auto size = shownSizeOf(field);
        return size == 8 ? 16 : size == 4 ? 8 : size == 2 ? 5 : 3;
    }
    default: return kPackedKey;
    }
}

/// Rows whose value stands on the line of their key: agghist and aggpack.
class LineRows {
public:
    LineRows(
        const Context& context, const RowStyle& style, const Aggregation& a, std::span<const AggregationRow> rows, std::int64_t divisor)
        : m_context(context), m_style(style), m_aggregation(a), m_rows(rows), m_divisor(divisor)
    {
    }

    bool apply() const
    {
        const auto& a = m_aggregation;
        if (std::any_of(a.keys.begin(), a.keys.end(), [](const Field& f) { return packedWidth(f) == 0; })) return false;
        if (m_style.histogram && (a.function == Aggregator::Count || a.function == Aggregator::Sum)) return true;
        return m_style.packed && (a.function == Aggregator::Quantize || a.function == Aggregator::Lquantize);
    }

    std::string text() const { return m_rows.empty() ? std::string() : isDistribution(m_aggregation) ? packed() : histogram(); }

private:
    std::string key(const AggregationRow& row) const
    {
        std::string out;
        for (const auto& f : m_aggregation.keys) {
            if (f.kind == FieldKind::Int || f.kind == FieldKind::Uint)
                out += keyText(m_context, f, row.key);
            else if (f.kind == FieldKind::Symbol)
                out += ' ' + padded(symbolText(m_context, f, row.key), kPackedKey);
            else
                out += ' ' + padded(shown(m_context, textAt(row.key, f.offset, f.size)), kPackedKey);
        }
        return out;
    }

    int width() const
    {
        int columns = 0;
        for (const auto& f : m_aggregation.keys)
            columns += packedWidth(f) + 1;
        return columns;
    }

    std::string histogram() const
    {
        Bars bars;
        for (const auto& row : m_rows)
            bars.add(row.data.at(0), m_style.scale);
        std::string out = '\n' + padded(width() ? "key" : "value", width() ? width() : 16)
            + formatted(" %41s %-9s\n", "------------- Distribution -------------", "count");
        for (const auto& row : m_rows)
            out += key(row) + ' ' + bars.line(row.data.at(0), m_divisor);
        return out;
    }

    /// First and last bucket that any row counts in, and the one before and after them.
    std::pair<int, int> range() const
    {
        const int last = bucketCount(m_aggregation) - 1;
        if (m_aggregation.function == Aggregator::Lquantize) return {0, last};
        int low = last, high = 0;
        for (const auto& row : m_rows)
            for (std::size_t i = 0; i + 1 < row.data.size(); i += 2)
                if (row.data[i + 1] != 0) {
                    low = std::min(low, int(row.data[i]));
                    high = std::max(high, int(row.data[i]));
                }
        if (low > high) low = high = kQuantizeZero;
        return {low == 0 || low == kQuantizeZero ? low : low - 1, std::min(high + 1, last)};
    }

    std::string packed() const
    {
        const auto [low, high] = range();
        const bool linear = m_aggregation.function == Aggregator::Lquantize;
        const auto edges = bucketRange(m_aggregation, linear ? 1 : low).low;
        std::string first = std::to_string(quantizeValue(low)), last = std::to_string(quantizeValue(high));
        if (linear) {
            first = "< " + std::to_string(*edges);
            last = ">= " + std::to_string(*bucketRange(m_aggregation, high).low);
        }
        const int firstWidth = linear ? 8 : std::max(4, int(first.size())), lastWidth = linear ? 8 : std::max(4, int(last.size()));
        std::string out = '\n' + padded(width() ? "key" : "", width()) + ' ' + padded("min", linear ? firstWidth - 1 : firstWidth) + " .";
        out.append(std::size_t(high - low + (linear ? 2 : 1)), '-');
        out += ". " + padded("max", -lastWidth) + " | count\n";
        for (const auto& row : m_rows)
            out += key(row) + (linear ? "" : " ") + padded(first, firstWidth) + " :" + line(row, low, high) + ": "
                + padded(last, -lastWidth) + " | " + std::to_string(total(row)) + '\n';
        return out;
    }

    static std::int64_t total(const AggregationRow& row)
    {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i + 1 < row.data.size(); i += 2)
            sum = std::int64_t(std::uint64_t(sum) + std::uint64_t(row.data[i + 1]));
        return sum;
    }

    std::string line(const AggregationRow& row, int low, int high) const
    {
        Bars bars;
        std::map<int, std::int64_t> counts;
        for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
            bars.add(row.data[i + 1], m_style.scale);
            counts[int(row.data[i])] = row.data[i + 1];
        }
        std::string out;
        for (int b = low; b <= high; ++b) {
            const auto at = counts.find(b);
            out += mark(at == counts.end() ? 0 : at->second, bars.total);
        }
        return out;
    }

    std::string mark(std::int64_t count, long double total) const
    {
        static constexpr std::string_view kAscii = "__xxxxXX", kNegative = "vvvvVV";
        constexpr unsigned kLevels = 8;
        if (count == 0) return " ";
        const auto level = [&](std::size_t levels) {
            const long double size = std::fabs(static_cast<long double>(count)) * static_cast<long double>(levels - 1) / total;
            return std::min(std::size_t(size + 0.5L), levels - 1);
        };
        if (count < 0) return std::string(1, kNegative[level(kNegative.size())]);
        if (m_style.ascii) return std::string(1, kAscii[level(kAscii.size())]);
        std::string block = "\xe2\x96\x81"; // U+2581 is an eighth, U+2588 the full block
        block[2] = char(0x81 + int(level(kLevels)));
        return block;
    }

    const Context& m_context;
    const RowStyle& m_style;
    const Aggregation& m_aggregation;
    std::span<const AggregationRow> m_rows;
    std::int64_t m_divisor;
};
} // namespace

bool isDistribution(const Aggregation& a)
{
    return a.function == Aggregator::Quantize || a.function == Aggregator::Lquantize || a.function == Aggregator::Llquantize
        || a.function == Aggregator::Ranges;
}

RowStyle rowStyle(const std::map<std::string, std::string>& options)
{
    const auto encoding = options.find("encoding");
    return {.histogram = flagOf(options, "agghist"),
        .packed = flagOf(options, "aggpack"),
        .scale = flagOf(options, "aggzoom") ? Scale::Largest : Scale::Sum,
        .ascii = encoding != options.end() && encoding->second == "ascii"};
}

void writeRows(const Context& context, const RowStyle& style, const Aggregation& aggregation, std::span<const AggregationRow> rows,
    std::int64_t divisor, const std::function<void(std::string_view)>& write)
{
    const LineRows lines(context, style, aggregation, rows, divisor);
    if (lines.apply()) return write(lines.text());
    for (const auto& row : rows)
        write(keysText(context, aggregation, row.key) + valueText(style, aggregation, row.data, divisor) + '\n');
}

std::vector<std::int64_t> dataOf(const Aggregation& aggregation, const AggregationRow* row)
{
    if (row) return row->data;
    auto zeros = emptyData(aggregation.function);
    std::fill(zeros.begin(), zeros.end(), 0);
    return zeros;
}

ValuesByCpu::ValuesByCpu(const AggregationState& state, AggregationId id, std::uint32_t cpus)
    : m_keys(state.aggregations().at(id.value).keys), m_aggregation(state.aggregations().at(id.value + 1)),
      m_divisor(state.entry({id.value + 1}).divisor), m_cpus(std::min(cpus, kMostCpus))
{
    if (m_aggregation.keys.size() != m_keys.size() + 1) return; // nothing was aggregated
    for (const auto& row : state.entry({id.value + 1}).rows)
        m_rows[keyOf(m_aggregation.keys, row.key)][integerOf(m_aggregation.keys.back(), row.key)] = &row;
}

std::string ValuesByCpu::keyOf(std::span<const Field> fields, ByteView key) const
{
    return record::comparable(fields.first(m_keys.size()), key);
}

std::vector<std::string> ValuesByCpu::lines(const RowStyle& style, ByteView key) const
{
    const auto known = m_rows.find(keyOf(m_keys, key));
    if (known == m_rows.end()) return {};
    const auto nothing = emptyData(m_aggregation.function);
    std::map<std::int64_t, const std::vector<std::int64_t>*> all;
    for (std::uint32_t cpu = 0; cpu < m_cpus; ++cpu)
        all[cpu] = &nothing;
    for (const auto& [cpu, row] : known->second)
        all[cpu] = &row->data;
    std::vector<std::string> out;
    for (const auto& [cpu, data] : all)
        out.push_back("    [CPU " + std::to_string(cpu) + ']' + valueText(style, m_aggregation, *data, m_divisor));
    return out;
}

std::string ValuesByCpu::text(const RowStyle& style, const AggregationRow& row) const
{
    std::string out;
    for (const auto& line : lines(style, row.key))
        out += line + '\n';
    return out;
}

std::string ValuesByCpu::joinedText(const RowStyle& style, ByteView key) const
{
    std::string out;
    for (const auto& line : lines(style, key))
        out += '\n' + line;
    return out;
}

std::string joinedText(const Context& context, const RowStyle& style, const AggregationState& state, std::span<const AggregationId> ids,
    std::span<const ValuesByCpu> byCpu, const JoinedRow& row)
{
    std::string out = keysText(context, state.aggregations().at(ids[0].value), *row.key);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto& a = state.aggregations().at(ids[i].value);
        out += valueText(style, a, dataOf(a, row.rows[i]), state.entry(ids[i]).divisor);
        if (i < byCpu.size()) out += byCpu[i].joinedText(style, *row.key);
    }
    return out + '\n';
}
} // namespace dscope::format
