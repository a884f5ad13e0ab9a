#pragma once
#include <QString>
#include <vector>
namespace dscope::gui {
/// A value that a program names at its top, "inline int microseconds = 1000;": people change it without reading the program.
struct Parameter {
    enum class Kind : std::uint8_t { Number, Text } kind = Kind::Number;
    QString name;
    QString value;              ///< as people write it: a text without quotes
    qsizetype at = 0, size = 0; ///< of what D has for it, in the program
    bool operator==(const Parameter&) const = default;
};
/// In their order; nothing of a program whose syntax is wrong. A constant that is computed is none.
std::vector<Parameter> parametersOf(const QString& program);
/// Whether somebody may have meant it: a number is whole, in decimal or with 0x.
bool fits(Parameter::Kind kind, const QString& value);
/// As D writes a value that fits().
QString literalOf(Parameter::Kind kind, const QString& value);
} // namespace dscope::gui
