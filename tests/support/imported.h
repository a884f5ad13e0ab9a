#pragma once
#include "engine/record/counted_stacks.h"
#include "engine/record/value.h"
#include "engine/text/importer.h"
#include <QByteArray>
#include <algorithm>
#include <string_view>
#include <vector>
namespace dscope::tests {
/// What the importer of this name makes of a text.
inline Result<text::Imported> read(const char* format, const QByteArray& text)
{
    const auto all = importers::all();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f->name() == format; });
    text::Lines lines(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    return (*found)->read(lines);
}
/// The format that is sure of a text, or the first that may be it, with "perhaps " before it.
inline QByteArray guessed(const QByteArray& text)
{
    const auto all = importers::all();
    if (const auto* sure = text::guessed(all, {text.constData(), static_cast<std::size_t>(text.size())}))
        return QByteArray(sure->name().data(), static_cast<qsizetype>(sure->name().size()));
    for (const auto& f : importers::all())
        if (f->guess(std::string_view(text.constData(), static_cast<std::size_t>(text.size()))) == text::Guess::Unknown)
            return "perhaps " + QByteArray(f->name().data(), static_cast<qsizetype>(f->name().size()));
    return "none";
}
/// The folded stacks of an import, of all its records.
struct FoldedLine {
    std::string stack, value; ///< the value with all of its decimals
};
inline std::vector<FoldedLine> linesOf(const text::Imported& imported)
{
    std::vector<FoldedLine> lines;
    for (const auto& record : imported.records)
        if (const auto* stacks = std::get_if<record::CountedStacks>(&record))
            record::eachLine(*stacks, [&](std::string_view stack, std::int64_t value) {
                lines.push_back({std::string(stack), record::decimalText(value, stacks->exponent)});
            });
    return lines;
}
/// Everything an import says, a line each: stacks as folded text, numbers and distributions by their keys.
inline QByteArray said(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& line : linesOf(imported))
        out += QByteArray::fromStdString(line.stack + ' ' + line.value) + '\n';
    for (const auto& record : imported.records) {
        const auto* rows = std::get_if<record::AggregationRows>(&record);
        if (!rows) continue;
        const auto& a = imported.program.aggregations.at(rows->aggregation.value);
        for (const auto& row : rows->rows) {
            out += '@' + QByteArray::fromStdString(a.name) + '[';
            for (const auto& key : a.keys)
                out += QByteArray::fromStdString(record::stringOf(key, row.key)) + (&key == &a.keys.back() ? "" : ", ");
            out += "]";
            for (const auto n : row.data)
                out += ' ' + QByteArray::number(static_cast<qlonglong>(n));
            out += '\n';
        }
    }
    return out;
}
} // namespace dscope::tests
