#include "graph/parts/table_grid.h"
#include "engine/record/buckets.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
std::string exactText(const Ranking& of, const Number& value)
{
    const bool hasUnit = of.measure.unit == Unit::Nanoseconds || of.measure.unit == Unit::Bytes;
    return value.isWhole() && !hasUnit && value == Number(value.whole()) ? formatGrouped(value.whole()) : of.valueText(value);
}

TableCell numberCell(const Ranking& of, const Number& value)
{
    return {of.plain(value), of.measure.unit == Unit::Percent ? of.measure.format(value) : exactText(of, value), value};
}

TableCell bucketsCell(const record::Aggregation& a, const Measure& measure, const record::AggregationRow& row)
{
    TableCell out;
    Number total;
    for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
        const auto range = record::bucketRange(a, static_cast<int>(row.data[i]));
        out.text
            += (out.text.empty() ? "" : ", ") + (range.low ? std::to_string(*range.low) : "<") + ": " + std::to_string(row.data[i + 1]);
        const std::string low = !range.low ? "<"
            : measure.unit == Unit::None   ? formatGrouped(*range.low)
                                           : measure.format(static_cast<double>(*range.low));
        out.shown += (out.shown.empty() ? "" : ", ") + low + ": " + formatGrouped(row.data[i + 1]);
        out.buckets.push_back({low, static_cast<double>(row.data[i + 1])});
        total += Number(row.data[i + 1]);
    }
    out.number = total;
    return out;
}

TableCell bucketsCell(const record::Aggregation& a, const Measure& measure, const std::map<int, Number>& counts)
{
    record::AggregationRow row;
    for (const auto& [bucket, count] : counts)
        if (!(count == Number(0))) row.data.insert(row.data.end(), {bucket, count.isWhole() ? count.whole() : std::llround(count)});
    return bucketsCell(a, measure, row);
}

std::string fewerBuckets(const TableCell& cell, double width, double size)
{
    const std::string whole = printable(cell.shown);
    std::vector<std::string> parts;
    for (const auto& bucket : cell.buckets)
        parts.push_back(printable(bucket.low) + ": " + formatGrouped(std::llround(bucket.count)));
    const auto fits = [&](std::string_view text) { return textWidth(text, size, {.mono = true}) <= width; };
    if (parts.empty() || fits(whole)) return whole;
    for (std::size_t kept = parts.size() - 1; kept > 1; --kept) {
        const std::size_t last = kept / 2, first = kept - last;
        std::string text;
        for (std::size_t i = 0; i < first; ++i)
            text.append(parts[i]).append(", ");
        text += said("\u2026 %1 more \u2026", std::to_string(parts.size() - kept));
        for (std::size_t i = parts.size() - last; i < parts.size(); ++i)
            text.append(", ").append(parts[i]);
        if (fits(text)) return text;
    }
    // Rather none than one whose number is cut.
    const auto none = said("%1 buckets", std::to_string(parts.size()));
    const auto fullest
        = std::max_element(cell.buckets.begin(), cell.buckets.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
    const auto peak = said("%1, peak %2", none, printable(fullest->low));
    if (parts.size() > 1 && fits(peak)) return peak;
    return parts.size() > 1 && fits(none) ? none : whole;
}
} // namespace dscope::graph
