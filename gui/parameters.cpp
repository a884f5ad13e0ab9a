#include "gui/parameters.h"
#include "gui/literal.h"
#include "gui/reading.h"
#include <QRegularExpression>
#include <optional>
namespace dscope::gui {
namespace {
/// The constant that is written there as it is; none where it is a macro, or computed.
std::optional<Parameter> written(const ast::Declaration& declaration, const std::string& source)
{
    const auto* init = declaration.init.get();
    if (declaration.kind != ast::Declaration::Kind::Inline || !declaration.tuple.empty() || !init) return std::nullopt;
    const auto text = source.substr(init->at.begin, init->at.end - init->at.begin);
    const auto before = QString::fromStdString(source.substr(0, init->at.begin)).size(); // the parser counts bytes
    const auto words = QString::fromStdString(text);
    Parameter one{Parameter::Kind::Number, QString::fromStdString(declaration.name), words, before, words.size()};
    if (init->kind == ast::ExprKind::Integer && fits(Parameter::Kind::Number, words)) return one;
    if (init->kind != ast::ExprKind::String || !words.startsWith(QChar('"'))) return std::nullopt;
    one.kind = Parameter::Kind::Text;
    one.value = QString::fromStdString(init->text);
    return one;
}
} // namespace

QStringList argumentsOf(const QString& program, const QStringList& given)
{
    auto all = given;
    const auto named = readProgram(program).arguments;
    while (all.size() < named)
        all << QString();
    return all.mid(0, named);
}

bool fits(Parameter::Kind kind, const QString& value)
{
    // Source: dtrace(1): integers are decimal, or hexadecimal behind 0x; octal ones would surprise whoever types 010.
    static const QRegularExpression kWhole(QStringLiteral("^(0|[1-9][0-9]{0,17}|0[xX][0-9a-fA-F]{1,15})$"));
    return kind != Parameter::Kind::Number || kWhole.match(value).hasMatch();
}

QString literalOf(Parameter::Kind kind, const QString& value) { return kind == Parameter::Kind::Text ? literal(value) : value; }

std::vector<Parameter> parametersOf(const QString& program)
{
    const auto reading = readProgram(program);
    std::vector<Parameter> all;
    if (reading.error()) return all;
    const auto& source = reading.sources.at(reading.file).text;
    for (const auto& item : reading.program.items)
        if (const auto* declaration = std::get_if<ast::Declaration>(&item.is))
            if (auto one = written(*declaration, source)) all.push_back(std::move(*one));
    for (int n = 1; n <= reading.arguments; ++n)
        all.push_back({Parameter::Kind::Argument, QStringLiteral("$%1").arg(n), {}, 0, 0});
    return all;
}
} // namespace dscope::gui
