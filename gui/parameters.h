#pragma once
#include <QString>
#include <QStringList>
#include <vector>
namespace dscope::gui {
/// A value that a program names at its top, "inline int microseconds = 1000;", or a macro argument that it is given, $1: people change
/// it without reading the program.
struct Parameter {
    enum class Kind : std::uint8_t { Number, Text, Argument } kind = Kind::Number;
    QString name;
    QString value;              ///< as people write it: a text without quotes
    qsizetype at = 0, size = 0; ///< of what D has for it, in the program; an argument is not in it
    bool operator==(const Parameter&) const = default;
};
/// In their order, arguments last; nothing of a program whose syntax is wrong. A constant that is computed is none.
std::vector<Parameter> parametersOf(const QString& program);
/// As many of `given` as the program names, the missing ones empty: what it is run with as $1 ...
QStringList argumentsOf(const QString& program, const QStringList& given);
/// Whether somebody may have meant it: a number is whole, in decimal or with 0x; a text and an argument are anything.
bool fits(Parameter::Kind kind, const QString& value);
/// As D writes a value that fits().
QString literalOf(Parameter::Kind kind, const QString& value);
} // namespace dscope::gui
