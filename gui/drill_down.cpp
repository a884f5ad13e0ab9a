#include "gui/drill_down.h"
#include "gui/literal.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
namespace dscope::gui {
namespace {
struct DrillDownWords {
    Q_DECLARE_TR_FUNCTIONS(DrillDown)
};
QString quiet(const QString& clauses) { return QStringLiteral("#pragma D option quiet\n\n") + clauses; }
/// The kernel keeps 15 bytes of a program's name.
QString commOf(const QString& path) { return QString::fromUtf8(QFileInfo(path).fileName().toUtf8().left(15)); }

/// Whether a text can stand for a function in a probe description as it is.
bool isPlainName(const QString& name)
{
    static const QRegularExpression kName(QStringLiteral("^[A-Za-z_][A-Za-z0-9_.$]*$"));
    return kName.match(name).hasMatch();
}
QString clause(const QString& probe, const QString& predicate, const QString& body)
{
    const auto where = predicate.isEmpty() ? QString() : QStringLiteral("\n/%1/").arg(predicate);
    return QStringLiteral("%1%2\n{\n\t%3\n}\n").arg(probe, where, body);
}

/// All processes but dscope, as in recipes.
QString others() { return QStringLiteral("pid != $pid && pid != $ppid && ppid != $ppid"); }

std::vector<Question> aboutProgram(const QString& name)
{
    const auto is = QStringLiteral("execname == ") + literal(name);
    const auto count = [](const QString& keys) { return QStringLiteral("@[%1] = count();").arg(keys); };
    return {
        {DrillDownWords::tr("With which arguments does it start?"),
            quiet(clause(QStringLiteral("proc:::exec-success"), is, QStringLiteral("printf(\"%6d %s\\n\", pid, curpsinfo->pr_psargs);")))},
        {DrillDownWords::tr("How long does it live?"),
            quiet(clause(QStringLiteral("proc:::exec-success"), is, QStringLiteral("started[pid] = timestamp;")) + QChar('\n')
                + clause(QStringLiteral("proc:::exit"), QStringLiteral("started[pid]"),
                    QStringLiteral("@life[execname] = quantize(timestamp - started[pid]);\n\tstarted[pid] = 0;")))},
        {DrillDownWords::tr("Where is its CPU time spent?"),
            quiet(clause(QStringLiteral("profile-997"), is + QStringLiteral(" && arg1"), count(QStringLiteral("ustack()"))))},
        {DrillDownWords::tr("What does it wait for?"),
            quiet(clause(QStringLiteral("sched:::off-cpu"), is, QStringLiteral("self->since = timestamp;")) + QChar('\n')
                + clause(QStringLiteral("sched:::on-cpu"), QStringLiteral("self->since"),
                    QStringLiteral("@time[stack(), ustack()] = sum(timestamp - self->since);\n\tself->since = 0;")))},
        {DrillDownWords::tr("Which system calls does it make?"),
            quiet(clause(QStringLiteral("syscall:::entry"), is, count(QStringLiteral("probefunc"))))},
        {DrillDownWords::tr("Which files does it open?"),
            quiet(clause(QStringLiteral("syscall::openat:entry"), is, QStringLiteral("self->path = arg1;")) + QChar('\n')
                + clause(QStringLiteral("syscall::openat:return"), QStringLiteral("self->path"),
                    QStringLiteral("@[copyinstr(self->path)] = count();\n\tself->path = 0;")))},
    };
}
std::vector<Question> aboutSystemCall(const QString& name, const QString& program)
{
    const auto entry = QStringLiteral("syscall::%1:entry").arg(name), back = QStringLiteral("syscall::%1:return").arg(name);
    const auto is = program.isEmpty() ? others() : QStringLiteral("execname == ") + literal(program);
    std::vector<Question> all;
    if (program.isEmpty())
        all.push_back({DrillDownWords::tr("Which programs call it?"), quiet(clause(entry, is, QStringLiteral("@[execname] = count();")))});
    all.push_back({DrillDownWords::tr("How long does it take?"),
        quiet(clause(entry, is, QStringLiteral("self->ts = timestamp;")) + QChar('\n')
            + clause(
                back, QStringLiteral("self->ts"), QStringLiteral("@time[execname] = quantize(timestamp - self->ts);\n\tself->ts = 0;")))});
    all.push_back({DrillDownWords::tr("What leads to it?"), quiet(clause(entry, is, QStringLiteral("@[execname, ustack()] = count();")))});
    all.push_back({DrillDownWords::tr("How does it fail?"),
        quiet(clause(back, is + QStringLiteral(" && errno"), QStringLiteral("@[execname, errno] = count();")))});
    return all;
}
/// A name may have any character, as work::Box::weigh has; those that probe descriptions have other uses for, or none, are "any one" there.
QString patternOf(QString name, const char* plain)
{
    constexpr qsizetype kMost = 120; // names in descriptions have 127
    name.replace(QRegularExpression(QStringLiteral("[^%1]").arg(QLatin1String(plain))), QStringLiteral("?"));
    return name.size() <= kMost ? name : name.left(kMost) + QChar('*');
}
std::vector<Question> aboutFunction(const Subject& subject)
{
    const auto module = patternOf(subject.module, "A-Za-z0-9_.+-"), function = patternOf(subject.function, "A-Za-z0-9_.$");
    const auto probe
        = subject.isKernel ? QStringLiteral("fbt::%1").arg(function) : QStringLiteral("pid$target:%1:%2").arg(module, function);
    const bool isTarget = !subject.isKernel;
    const auto stack = isTarget ? QStringLiteral("ustack()") : QStringLiteral("stack()");
    const auto who = isTarget ? QString() : others();
    return {
        {DrillDownWords::tr("How long does it take?"),
            quiet(clause(probe + QStringLiteral(":entry"), who, QStringLiteral("self->ts = timestamp;")) + QChar('\n')
                + clause(probe + QStringLiteral(":return"), QStringLiteral("self->ts"),
                    QStringLiteral("@time[probefunc] = quantize(timestamp - self->ts);\n\tself->ts = 0;"))),
            isTarget},
        {DrillDownWords::tr("Who calls it?"),
            quiet(clause(probe + QStringLiteral(":entry"), who, QStringLiteral("@[%1] = count();").arg(stack))), isTarget},
        {DrillDownWords::tr("With which first argument?"),
            quiet(clause(probe + QStringLiteral(":entry"), who, QStringLiteral("@[arg0] = count();"))), isTarget},
        {DrillDownWords::tr("What does it return?"),
            quiet(clause(probe + QStringLiteral(":return"), who, QStringLiteral("@[arg1] = count();"))), isTarget},
    };
}
} // namespace

QString Subject::text() const
{
    QStringList all;
    if (!part.terms.empty()) all << condition(part.terms);
    if (part.low && part.high)
        all << DrillDownWords::tr("%1 to %2").arg(*part.low).arg(*part.high);
    else if (part.low)
        all << DrillDownWords::tr("%1 and more").arg(*part.low);
    else if (part.high)
        all << DrillDownWords::tr("below %1").arg(*part.high);
    if (!function.isEmpty()) all << (module.isEmpty() ? function : module + QChar('`') + function);
    if (all.isEmpty() && !program.isEmpty()) all << QStringLiteral("execname == ") + literal(program);
    return all.join(QStringLiteral(", "));
}

Subject subjectOf(const graph::Table& table, std::size_t row, const QString& source, const QStringList& keys)
{
    if (row >= table.rows.size()) return {};
    Subject subject;
    const auto& cells = table.rows[row];
    for (std::size_t c = 0; c < table.columns.size() && c < cells.size(); ++c) {
        const auto& column = table.columns[c];
        const auto& title = column.title;
        const auto cell = QString::fromStdString(cells[c]);
        if (title == "execname") subject.program = cell;
        if (title == "command" && subject.program.isEmpty() && !cell.isEmpty()) subject.program = commOf(cell);
        if (title == "probefunc" && source.contains(QStringLiteral("syscall:")) && isPlainName(cell)) subject.systemCall = cell;
        if (title == "low" && !cell.isEmpty()) subject.part.low = cell.toLongLong();
        if (title == "high" && !cell.isEmpty()) subject.part.high = cell.toLongLong();
        const auto expression = QString::fromStdString(title);
        if (cell.isEmpty() || !keys.contains(expression)) continue;

        // Addresses and floating point are not what a predicate of this value would find.
        static const QRegularExpression kWhole(QStringLiteral("^-?[0-9]{1,19}$"));
        if (!column.isNumber || kWhole.match(cell).hasMatch())
            subject.part.terms.push_back({expression, column.isNumber ? cell : literal(cell), cell});
    }
    return subject;
}

Subject subjectOf(std::string_view frame, graph::Shade shade)
{
    // The D notation of a symbol: module`function.
    const auto name = QString::fromUtf8(frame.data(), static_cast<qsizetype>(frame.size()));
    Subject subject;
    subject.isKernel = shade == graph::Shade::Kernel;
    const auto mark = name.indexOf(QChar('`'));
    const auto function = name.mid(mark + 1);
    static const QRegularExpression kLetter(QStringLiteral("[A-Za-z_]"));
    const bool isName = mark >= 0 && !function.startsWith(QStringLiteral("0x")) && kLetter.match(function).hasMatch();
    if (!isPlainName(function) && (subject.isKernel || !isName)) return {};
    subject.module = mark < 0 ? QString() : name.left(mark);
    subject.function = function;
    return subject;
}

std::vector<Question> questionsAbout(const Subject& subject, const QString& source)
{
    std::vector<Question> all;
    if (!subject.part.terms.empty() || subject.part.low || subject.part.high) {
        if (const auto program = narrowed(source, subject.part); program && *program != source)
            all.push_back({DrillDownWords::tr("This alone, with the same program"), *program});
        if (const auto program = askedForStacks(source, subject.part)) all.push_back({DrillDownWords::tr("What leads to this?"), *program});
    }
    const auto add = [&](std::vector<Question> more) { all.insert(all.end(), more.begin(), more.end()); };
    if (!subject.systemCall.isEmpty()) add(aboutSystemCall(subject.systemCall, subject.program));
    if (!subject.function.isEmpty()) add(aboutFunction(subject));
    if (subject.systemCall.isEmpty() && !subject.program.isEmpty()) add(aboutProgram(subject.program));
    return all;
}
} // namespace dscope::gui
