#include "gui/drill_down.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
namespace dscope::gui {
namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(DrillDown)
};
/// As a D string literal: what was traced is data, never a part of the program.
QString literal(const QString& text)
{
    QString out(QChar('"'));
    for (const auto byte : text.toUtf8()) {
        const int c = static_cast<unsigned char>(byte);
        if (c == '"' || c == '\\')
            out.append(QChar('\\')).append(QChar(c));
        else if (c < 0x20 || c >= 0x7F)
            out.append(QStringLiteral("\\%1").arg(c, 3, 8, QChar('0')));
        else
            out.append(QChar(c));
    }
    return out + QChar('"');
}
QString quiet(const QString& clauses) { return QStringLiteral("#pragma D option quiet\n\n") + clauses; }
/// The kernel keeps 15 bytes of a program's name.
QString commOf(const QString& path) { return QString::fromUtf8(QFileInfo(path).fileName().toUtf8().left(15)); }

std::vector<Question> aboutProgram(const QString& name)
{
    const auto is = QStringLiteral("execname == ") + literal(name);
    return {
        {Words::tr("With which arguments does it start?"),
            quiet(QStringLiteral("proc:::exec-success\n/") + is
                + QStringLiteral("/\n{\n\tprintf(\"%6d %s\\n\", pid, curpsinfo->pr_psargs);\n}\n"))},
        {Words::tr("How long does it live?"),
            quiet(QStringLiteral("proc:::exec-success\n/%1/\n{\n\tstarted[pid] = timestamp;\n}\n\nproc:::exit\n/started[pid]/\n{\n"
                                 "\t@life[execname] = quantize(timestamp - started[pid]);\n\tstarted[pid] = 0;\n}\n")
                      .arg(is))},
        {Words::tr("Where is its CPU time spent?"),
            quiet(QStringLiteral("profile-997\n/%1 && arg1/\n{\n\t@[ustack()] = count();\n}\n").arg(is))},
        {Words::tr("Which system calls does it make?"),
            quiet(QStringLiteral("syscall:::entry\n/%1/\n{\n\t@[probefunc] = count();\n}\n").arg(is))},
        {Words::tr("Which files does it open?"),
            quiet(QStringLiteral("syscall::openat:entry\n/%1/\n{\n\t@[copyinstr(arg1)] = count();\n}\n").arg(is))},
    };
}
std::vector<Question> aboutSystemCall(const QString& name)
{
    return {
        {Words::tr("Which programs call it?"), quiet(QStringLiteral("syscall::%1:entry\n{\n\t@[execname] = count();\n}\n").arg(name))},
        {Words::tr("How long does it take?"),
            quiet(QStringLiteral("syscall::%1:entry\n{\n\tself->ts = timestamp;\n}\n\nsyscall::%1:return\n/self->ts/\n{\n"
                                 "\t@time[execname] = quantize(timestamp - self->ts);\n\tself->ts = 0;\n}\n")
                      .arg(name))},
        {Words::tr("What leads to it?"), quiet(QStringLiteral("syscall::%1:entry\n{\n\t@[execname, ustack()] = count();\n}\n").arg(name))},
        {Words::tr("How does it fail?"),
            quiet(QStringLiteral("syscall::%1:return\n/errno/\n{\n\t@[execname, errno] = count();\n}\n").arg(name))},
    };
}
} // namespace

QString Subject::predicate() const
{
    switch (kind) {
    case Kind::Program: return QStringLiteral("execname == ") + literal(name);
    case Kind::SystemCall: return QStringLiteral("probefunc == ") + literal(name);
    case Kind::None: break;
    }
    return {};
}

Subject subjectOf(const graph::Table& table, std::size_t row, const QString& source)
{
    if (row >= table.rows.size()) return {};
    const auto cell = [&](std::string_view title) -> QString {
        for (std::size_t c = 0; c < table.columns.size() && c < table.rows[row].size(); ++c)
            if (table.columns[c].title == title) return QString::fromStdString(table.rows[row][c]);
        return {};
    };
    static const QRegularExpression kCall(QStringLiteral("^[a-z_][a-z0-9_]*$"));
    if (const auto call = cell("probefunc"); source.contains(QStringLiteral("syscall:")) && kCall.match(call).hasMatch())
        return {Subject::Kind::SystemCall, call};
    if (const auto name = cell("execname"); !name.isEmpty()) return {Subject::Kind::Program, name};
    if (const auto path = cell("command"); !path.isEmpty()) return {Subject::Kind::Program, commOf(path)};
    return {};
}

std::vector<Question> questionsAbout(const Subject& subject)
{
    switch (subject.kind) {
    case Subject::Kind::Program: return aboutProgram(subject.name);
    case Subject::Kind::SystemCall: return aboutSystemCall(subject.name);
    case Subject::Kind::None: break;
    }
    return {};
}
} // namespace dscope::gui
