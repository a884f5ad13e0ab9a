#include "graph/parts/table_grid.h"
#include "engine/record/buckets.h"
#include "graph/text.h"
#include <cmath>
namespace dscope::graph {
TableCell numberCell(const Ranking& of, double value)
{
    return {plainNumber(value), of.measure.unit == Unit::Percent ? of.measure.format(value) : of.valueText(value), value};
}

TableCell bucketsCell(const record::Aggregation& a, const Measure& measure, const record::AggregationRow& row)
{
    TableCell out;
    double total = 0;
    for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
        const auto range = record::bucketRange(a, static_cast<int>(row.data[i]));
        out.text
            += (out.text.empty() ? "" : ", ") + (range.low ? std::to_string(*range.low) : "<") + ": " + std::to_string(row.data[i + 1]);
        const std::string low = !range.low ? "<"
            : measure.unit == Unit::None   ? formatGrouped(*range.low)
                                           : measure.format(static_cast<double>(*range.low));
        out.shown += (out.shown.empty() ? "" : ", ") + low + ": " + formatGrouped(row.data[i + 1]);
        out.buckets.push_back({low, static_cast<double>(row.data[i + 1])});
        total += static_cast<double>(row.data[i + 1]);
    }
    out.number = total;
    return out;
}

TableCell bucketsCell(const record::Aggregation& a, const Measure& measure, const std::map<int, double>& counts)
{
    record::AggregationRow row;
    for (const auto& [bucket, count] : counts)
        if (count > 0) row.data.insert(row.data.end(), {bucket, std::llround(count)});
    return bucketsCell(a, measure, row);
}

std::string fewerBuckets(std::string_view whole, double width, double size)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= whole.size();) {
        const auto end = std::min(whole.find(", ", at), whole.size());
        parts.push_back(whole.substr(at, end - at));
        at = end + 2;
    }
    const auto fits = [&](std::string_view text) { return textWidth(text, size, {.mono = true}) <= width; };
    if (fits(whole)) return std::string(whole);
    for (std::size_t kept = parts.size() - 1; kept > 1; --kept) {
        const std::size_t last = kept / 2, first = kept - last;
        std::string text;
        for (std::size_t i = 0; i < first; ++i)
            text.append(parts[i]).append(", ");
        text += "\u2026 " + std::to_string(parts.size() - kept) + " more \u2026";
        for (std::size_t i = parts.size() - last; i < parts.size(); ++i)
            text.append(", ").append(parts[i]);
        if (fits(text)) return text;
    }
    // Rather none than one whose number is cut.
    const std::string none = std::to_string(parts.size()) + " buckets";
    return parts.size() > 1 && fits(none) ? none : std::string(whole);
}
} // namespace dscope::graph
