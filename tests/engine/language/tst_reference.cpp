// needs: engine/options engine/sema engine/syntax providers
#include "engine/language/language.h"
#include "engine/options/options.h"
#include "engine/probe/provider.h"
#include "engine/sema/base_library.h"
#include "engine/syntax/parser.h"
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <algorithm>
using namespace dscope;
namespace {
QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
QString cell(QString text) { return text.replace(QChar('|'), QStringLiteral("\\|")); }
QString code(std::string_view text) { return QChar('`') + cell(q(text)) + QChar('`'); }
QString sentence(std::string_view clause)
{
    auto text = q(clause);
    text[0] = text[0].toUpper();
    return text + QChar('.');
}
/// What is out of the ordinary.
void addRemarks(QStringList& words, std::string_view since, language::Stability stability)
{
    if (since != "1.0") words << QStringLiteral("Since D %1.").arg(q(since));
    if (stability == language::Stability::Evolving) words << QStringLiteral("Evolving.");
    if (stability == language::Stability::PrivateData) words << QStringLiteral("Its data is Private.");
}
template <typename Row> QString meaning(const Row& row)
{
    QStringList words{sentence(row.summary)};
    if (row.effect == language::Effect::Destructive) words << QStringLiteral("Destructive: needs `-w`.");
    addRemarks(words, row.since, row.stability);
    return words.join(QChar(' '));
}
const QString kTable = QStringLiteral("| | |\n| --- | --- |\n"), kTableOfThree = QStringLiteral("| | | example |\n| --- | --- | --- |\n");
QString line(const QString& left, const QString& right)
{
    return QStringLiteral("| ") + left + QStringLiteral(" | ") + cell(right) + QStringLiteral(" |\n");
}
QString line(const QString& left, const QString& middle, std::string_view example)
{
    return QStringLiteral("| ") + left + QStringLiteral(" | ") + cell(middle) + QStringLiteral(" | ") + (example.empty() ? QString() : code(example))
        + QStringLiteral(" |\n");
}

template <typename Rows> QString functionTable(const Rows& rows)
{
    QString out = kTableOfThree;
    for (const auto& row : rows) {
        auto words = meaning(row);
        if (!row.refusal.empty()) words += QStringLiteral(" Not available: %1.").arg(q(row.refusal));
        out += line(code(row.prototype), words, row.refusal.empty() ? row.example : std::string_view());
    }
    return out + QChar('\n');
}
QString subroutines()
{
    QString out;
    for (const auto& row : language::kSubroutines) {
        if (row.isInternal) continue;
        out += QStringLiteral("### ") + code(row.prototype) + QChar('\n') + meaning(row) + QChar('\n');
        if (!row.examples.front().expression.empty()) {
            out += QStringLiteral("```\n");
            for (const auto& example : row.examples)
                if (!example.expression.empty())
                    out += (q(example.expression).leftJustified(36) + QStringLiteral("  ") + q(example.value)).trimmed() + QChar('\n');
            out += QStringLiteral("```\n");
        } else if (!row.use.empty())
            out += QStringLiteral("```\n") + q(row.use) + QStringLiteral("\n```\n");
        out += QChar('\n');
    }
    return out;
}
QString variables()
{
    QString out = kTableOfThree;
    for (const auto& row : language::kVariables) {
        QStringList words{sentence(row.summary)};
        addRemarks(words, row.since, row.stability);
        out += line(code(row.declaration), words.join(QChar(' ')), row.example);
    }
    return out + QChar('\n');
}
QString options()
{
    QString out = QStringLiteral("| option | default | |\n| --- | --- | --- |\n");
    for (const auto& row : options::rows()) {
        if (row.name.starts_with('_')) continue; // for tests
        QStringList words{sentence(row.summary)};
        if (!row.choices.empty()) words << QStringLiteral("One of: %1.").arg(q(row.choices).replace(QChar(' '), QStringLiteral(", ")));
        if (row.atRunTime) words << QStringLiteral("`setopt()` may change it.");
        if (row.notInPrograms) words << QStringLiteral("Not by `#pragma D option`.");
        out += line(code(row.name) + QStringLiteral(" | ") + (row.unset.empty() ? QString() : code(row.unset)), words.join(QChar(' ')));
    }
    return out + QChar('\n');
}
QString reference()
{
    auto out = QStringLiteral(
        "# The D language\n"
        "What D programs may use: the words of the language as dscope has them. How programs are written is told in the Dynamic Tracing\n"
        "Guide. Everything is Stable and of D 1.0 where nothing else is said.\n"
        "Examples are statements of a clause of `syscall::write:entry`, where `@calls[execname]` counts and `self->trail` is a speculation.\n\n"
        "This file is generated from the tables in `engine/language`, `engine/options` and `providers`. The test `tst_reference` fails\n"
        "when it is not current, and rewrites it with `DSCOPE_UPDATE_GOLDEN=1`.\n\n"
        "## Variables\n");
    out += variables();
    out += QStringLiteral(
        "## Aggregating functions\n`@name[keys] = function(...)`. Each CPU aggregates for itself; what is printed is the whole.\n\n");
    out += functionTable(language::kAggregations);
    out += QStringLiteral(
        "## Actions\nStatements of their own. In a prototype `@` is an aggregation or any value; what is in `[]` may be left out.\n\n");
    out += functionTable(language::kActions);
    out += QStringLiteral("## Stacks and symbols\nThey may be recorded, and may be keys of aggregations.\n\n");
    out += functionTable(language::kStackFunctions) + functionTable(language::kSymbolFunctions);
    out += QStringLiteral("## Subroutines\nFunctions for expressions. Beside each example is what `trace()` prints of it.\n\n");
    out += subroutines() + functionTable(language::kConstructs);
    out += QStringLiteral("## Types of libraries\nTheir members are in the `.d` files in `providers`. C's types are there as well, and the "
                          "kernel's where the\n"
                          "kernel describes them (BTF).\n\n");
    out += kTable;
    for (const auto& row : language::kLibraryTypes)
        out += line(code(row.name), sentence(row.summary));
    out += QStringLiteral(
        "\n## Options\n`-x name=value`, `#pragma D option name=value`, or `DTRACE_OPT_NAME=value` in the environment.\n\n");
    out += options();
    out += QStringLiteral("## Providers\n`dscope -l -P provider` lists the probes, `-lv` also their arguments.\n\n") + kTableOfThree;
    for (const auto& provider : providers::all())
        out += line(code(provider->name()), sentence(provider->summary()), provider->example());
    return out;
}
const QString kMark
    = QStringLiteral("# Generated from engine/language; tst_reference rewrites what follows with DSCOPE_UPDATE_GOLDEN=1.\n");
QString dictionary()
{
    QString out = kMark;
    const auto functions = language::functionNames();
    for (const auto name : language::wordNames())
        out += QChar('"') + q(name)
            + (std::binary_search(functions.begin(), functions.end(), name) ? QStringLiteral("(\"\n") : QStringLiteral("\"\n"));
    for (const auto& type : language::kLibraryTypes)
        out += QStringLiteral("\"%1 \"\n").arg(q(type.name));
    for (const auto& row : options::rows())
        out += QStringLiteral("\"%1=\"\n").arg(q(row.name));
    return out;
}
/// Text of a manual page: nothing in it is a request of roff(7).
QString roff(QString text)
{
    text.replace(QChar('\\'), QStringLiteral("\\e")).replace(QChar('-'), QStringLiteral("\\-")).remove(QChar('`'));
    text.replace(QChar('\''), QStringLiteral("\\(aq"));
    return text.startsWith(QChar('.')) ? QStringLiteral("\\&") + text : text;
}
QString section(const char* title, const QString& text = {})
{
    return QStringLiteral(".SH ") + QString::fromLatin1(title) + QChar('\n') + (text.isEmpty() ? QString() : text + QChar('\n'));
}
QString item(std::string_view what, const QString& text)
{
    return QStringLiteral(".TP\n.B ") + roff(q(what)) + QChar('\n') + roff(text) + QChar('\n');
}
template <typename Rows> QString items(const Rows& rows)
{
    QString out;
    for (const auto& row : rows)
        out += item(row.prototype, meaning(row) + (row.refusal.empty() ? QString() : QStringLiteral(" Not available: %1.").arg(q(row.refusal))));
    return out;
}
/// dscope-d(7).
QString page()
{
    auto out = QStringLiteral(
        ".\\\" Generated from engine/language, engine/options and providers: tst_reference rewrites it with DSCOPE_UPDATE_GOLDEN=1.\n"
        ".TH DSCOPE\\-D 7 \"\" \"dscope\" \"The D language\"\n.SH NAME\ndscope\\-d \\- the D language of dscope\n"
        ".SH SYNOPSIS\n.I probe\n[, \\|.\\|.\\|.]\n.RI [/ predicate /]\n.RI {\\  statements \\ }\n"
        ".SH DESCRIPTION\nA program is a row of clauses. When one of the probes of a clause fires and the predicate is not 0, the statements "
        "run. A probe is named by provider:module:function:name; parts that are left out match all, and each may be a pattern of the "
        "shell. Global variables (x), those of a thread (self\\->x) and of a firing (this\\->x) come into being when they are assigned to, and so "
        "do associative arrays (x[key]) and aggregations (@x[key] = count()).\n.PP\nHow programs are written is told in the Dynamic "
        "Tracing Guide. What follows are the words of the language. Everything is Stable and of D 1.0 where nothing else is said.\n");
    out += section("VARIABLES");
    for (const auto& row : language::kVariables) {
        QStringList words{sentence(row.summary)};
        addRemarks(words, row.since, row.stability);
        out += item(row.declaration, words.join(QChar(' ')));
    }
    out += section("AGGREGATING FUNCTIONS") + items(language::kAggregations);
    out += section("ACTIONS", QStringLiteral("Statements of their own.")) + items(language::kActions);
    out += section("STACKS AND SYMBOLS", QStringLiteral("They may be recorded, and may be keys of aggregations."));
    out += items(language::kStackFunctions) + items(language::kSymbolFunctions) + section("SUBROUTINES");
    for (const auto& row : language::kSubroutines)
        if (!row.isInternal) out += item(row.prototype, meaning(row));
    out += items(language::kConstructs) + section("OPTIONS", QStringLiteral("Set by \\-x name=value or #pragma D option name=value."));
    for (const auto& row : options::rows())
        if (!row.name.starts_with('_'))
            out += item(row.name, sentence(row.summary) + (row.unset.empty() ? QString() : QStringLiteral(" Default: %1.").arg(q(row.unset))));
    out += section("PROVIDERS");
    for (const auto& provider : providers::all())
        out += item(provider->name(), sentence(provider->summary()));
    return out + QStringLiteral(".SH SEE ALSO\n.BR dscope (8)\n");
}
QString contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
/// The file is `wanted`, or becomes that where the caller of the test asks for it.
void compareOrUpdate(const QString& path, const QString& wanted)
{
    if (qEnvironmentVariableIsSet("DSCOPE_UPDATE_GOLDEN")) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(wanted.toUtf8());
        return;
    }
    const auto is = contents(path).split(QChar('\n')), should = wanted.split(QChar('\n'));
    for (qsizetype i = 0; i < std::max(is.size(), should.size()); ++i)
        QVERIFY2(is.value(i) == should.value(i),
            qPrintable(QStringLiteral("%1, line %2 is\n  %3\nand should be\n  %4\nDSCOPE_UPDATE_GOLDEN=1 rewrites it.")
                           .arg(path, QString::number(i + 1), is.value(i), should.value(i))));
}
const QString kSource = QStringLiteral(DSCOPE_SOURCE);
} // namespace

/// Whatever tells of the language tells what the tables say.
class TestReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theReferenceIsCurrent() { compareOrUpdate(kSource + QStringLiteral("/docs/reference.md"), reference()); }
    void theManualPageIsCurrent() { compareOrUpdate(kSource + QStringLiteral("/packaging/dscope-d.7"), page()); }
    void theFuzzDictionaryKnowsEveryWord()
    {
        const auto path = kSource + QStringLiteral("/tests/fuzz/d.dict");
        const auto now = contents(path);
        QVERIFY(now.contains(kMark));
        compareOrUpdate(path, now.left(now.indexOf(kMark)) + dictionary());
    }
    void everyPrototypeIsD()
    {
        // One that is malformed ends this program, as it would end dscope when a program calls the subroutine.
        for (const auto& row : language::kSubroutines) {
            const auto parsed = syntax::parsePrototype(row.prototype);
            QCOMPARE(q(parsed.name), q(row.name()));
            const auto count = language::argumentsIn(row.prototype);
            QCOMPARE(parsed.required, count.least);
            QCOMPARE(parsed.parameters.size(), count.most);
            for (const int argument : {row.sizeArgument, row.targetArgument})
                QVERIFY(argument == language::kNoArgument || static_cast<std::size_t>(argument) < parsed.parameters.size());
        }
    }
    void everyTypeOfALibraryIsInTheTable()
    {
        static const QRegularExpression kDefined(
            QStringLiteral(R"((?:^\}|^typedef\s[^{};]*)\s*\b(\w+)\s*;)"), QRegularExpression::MultilineOption);
        QSet<QString> defined;
        auto texts = q(sema::baseLibrary().text);
        for (const auto& library : providers::libraries()) {
            texts += q(library.text);
            for (auto it = kDefined.globalMatch(q(library.text)); it.hasNext();)
                defined << it.next().captured(1);
        }
        QVERIFY(defined.size() > 10);
        for (const auto& name : defined)
            QVERIFY2(language::isType(name.toStdString()), qPrintable(name + QStringLiteral(" has no row in engine/language/types.h")));
        for (const auto& row : language::kLibraryTypes)
            QVERIFY2(texts.contains(QRegularExpression(QStringLiteral("\\b%1\\s*;").arg(q(row.name)))),
                qPrintable(q(row.name) + QStringLiteral(" is in engine/language/types.h and in no library")));
    }
};
QTEST_GUILESS_MAIN(TestReference)
#include "tst_reference.moc"
