#pragma once
#include <QByteArray>
#include <QList>
#include <QMap>
namespace dscope::tests {
/// Records of RFC 4180 text. Written apart from our exporter: what it reads is what a spreadsheet reads.
inline QList<QList<QByteArray>> readCsv(const QByteArray& text)
{
    QList<QList<QByteArray>> rows;
    QList<QByteArray> row;
    QByteArray cell;
    bool quoted = false, any = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"') cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"') cell += text[++i];
            else quoted = false;
            continue;
        }
        any = true;
        if (c == '"') quoted = true;
        else if (c == ',') {
            row << cell;
            cell.clear();
        } else if (c == '\n') {
            row << cell;
            rows << row;
            row.clear();
            cell.clear();
            any = false;
        } else if (c != '\r')
            cell += c;
    }
    if (any) rows << (row << cell);
    return rows;
}
/// The rows after the header, each by column name.
inline QList<QMap<QByteArray, QByteArray>> csvRows(const QByteArray& text)
{
    const auto all = readCsv(text);
    QList<QMap<QByteArray, QByteArray>> out;
    for (qsizetype i = 1; i < all.size(); ++i) {
        QMap<QByteArray, QByteArray> row;
        for (qsizetype c = 0; c < all[0].size() && c < all[i].size(); ++c) row[all[0][c]] = all[i][c];
        out << row;
    }
    return out;
}
} // namespace dscope::tests
