#include "gui/narrowing.h"
#include "engine/language/functions.h"
#include "gui/reading.h"
#include <algorithm>
#include <functional>
namespace dscope::gui {
namespace {
using ast::Expr;
using ast::ExprKind;

/// An aggregation in a clause: `@name[keys] = function(value)`.
struct Taken {
    const Expr *whole = nullptr, *aggregation = nullptr, *call = nullptr;
};
void collect(const std::vector<ast::Statement>& body, std::vector<Taken>& all)
{
    for (const auto& statement : body) {
        collect(statement.then, all);
        collect(statement.otherwise, all);
        const auto* e = statement.kind == ast::Statement::Kind::Expression ? statement.expr.get() : nullptr;
        if (!e || e->kind != ExprKind::Assign || e->kids.size() != 2) continue;
        if (e->kids[0]->kind == ExprKind::Aggregation && e->kids[1]->kind == ExprKind::Call)
            all.push_back({e, e->kids[0].get(), e->kids[1].get()});
    }
}
/// Whether the body of the clause must have run for the value to be there.
bool needsBody(const Expr& e)
{
    return e.kind == ExprKind::ThisVariable || e.kind == ExprKind::Assign
        || std::any_of(e.kids.begin(), e.kids.end(), [](const auto& kid) { return kid && needsBody(*kid); });
}
/// Whether it gives a stack or a symbol, which nothing can be compared with.
bool isStack(const Expr& e)
{
    const auto has = [&](const auto& functions) {
        return std::any_of(functions.begin(), functions.end(), [&](const language::Function& f) { return f.name() == e.text; });
    };
    return e.kind == ExprKind::Call && (has(language::kStackFunctions) || has(language::kSymbolFunctions));
}
QString textOf(const Reading& reading, const Expr& e)
{
    const auto text = reading.sources.text(e.at);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).trimmed();
}
/// The predicate that selects `part` in this clause; none if the clause does not aggregate by its keys.
std::optional<QString> conditionHere(const Reading& reading, const Taken& taken, const Part& part)
{
    for (const auto& term : part.terms) {
        const auto& keys = taken.aggregation->kids;
        const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return textOf(reading, *k) == term.expression; });
        if (key == keys.end() || needsBody(**key)) return std::nullopt;
    }
    auto text = condition(part.terms);
    if (!part.low && !part.high) return text.isEmpty() ? std::nullopt : std::optional(text);

    if (taken.call->kids.empty() || needsBody(*taken.call->kids[0])) return std::nullopt;
    const auto value = QStringLiteral("(%1)").arg(textOf(reading, *taken.call->kids[0]));
    const auto also = [&](const QString& more) { text += (text.isEmpty() ? QString() : QStringLiteral(" && ")) + more; };
    if (part.low) also(value + QStringLiteral(" >= ") + QString::number(*part.low));
    if (part.high) also(value + QStringLiteral(" < ") + QString::number(*part.high));
    return text;
}
/// What stands in the program instead of the bytes from `begin` to `end`.
struct Change {
    std::size_t begin, end;
    std::string text;
};
using Changes = std::vector<Change>;
QString applied(const Reading& reading, const Changes& changes)
{
    auto text = reading.sources.at(reading.file).text;
    for (auto c = changes.rbegin(); c != changes.rend(); ++c)
        text.replace(c->begin, c->end - c->begin, c->text);
    return QString::fromStdString(text);
}
std::optional<QString> changed(const QString& program, const Part& part,
    const std::function<void(const Reading&, const ast::Clause&, const Taken&, const QString& condition, Changes&)>& change)
{
    const auto reading = readProgram(program);
    if (reading.error()) return std::nullopt;
    Changes changes;
    for (const auto& item : reading.program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (!clause || clause->probes.empty()) continue;
        std::vector<Taken> all;
        collect(clause->body, all);
        for (const auto& taken : all)
            if (const auto here = conditionHere(reading, taken, part)) {
                change(reading, *clause, taken, *here, changes);
                break;
            }
    }
    if (changes.empty()) return std::nullopt;
    return applied(reading, changes);
}
void restrict(const Reading& reading, const ast::Clause& clause, const QString& condition, Changes& changes)
{
    if (clause.predicate) {
        const auto at = clause.predicate->at;
        changes.push_back({at.begin, at.end, "(" + std::string(reading.sources.text(at)) + ") && " + condition.toStdString()});
        return;
    }
    const auto end = clause.probes.back().at.end;
    changes.push_back({end, end, "\n/" + condition.toStdString() + "/"});
}
/// Of dscope's own: BEGIN, END and ERROR fire in it, and tick on whatever CPU is free.
bool isOwn(const ast::ProbeSpec& probe)
{
    const auto name = std::string_view(probe.text).substr(probe.text.rfind(':') + 1);
    return name == "BEGIN" || name == "END" || name == "ERROR" || name.starts_with("tick-");
}
} // namespace

QStringList keysOf(const QString& program)
{
    const auto reading = readProgram(program);
    QStringList keys;
    for (const auto& item : reading.program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (!clause) continue;
        std::vector<Taken> all;
        collect(clause->body, all);
        for (const auto& taken : all)
            for (const auto& key : taken.aggregation->kids)
                if (!needsBody(*key) && !isStack(*key)) keys << textOf(reading, *key);
    }
    keys.removeDuplicates();
    return keys;
}

QString condition(const std::vector<Term>& terms)
{
    QStringList all;
    for (const auto& term : terms)
        all << term.expression + QStringLiteral(" == ") + term.value;
    return all.join(QStringLiteral(" && "));
}

std::optional<QString> narrowed(const QString& program, const Part& part)
{
    return changed(
        program, part, [](const Reading& reading, const ast::Clause& clause, const Taken&, const QString& condition, Changes& changes) {
            restrict(reading, clause, condition, changes);
        });
}

std::optional<QString> restrictedTo(const QString& program, const QString& condition)
{
    const auto reading = readProgram(program);
    if (reading.error()) return std::nullopt;
    Changes changes;
    for (const auto& item : reading.program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (clause && !clause->probes.empty() && std::none_of(clause->probes.begin(), clause->probes.end(), isOwn))
            restrict(reading, *clause, condition, changes);
    }
    if (changes.empty()) return std::nullopt;
    return applied(reading, changes);
}

std::optional<QString> askedForStacks(const QString& program, const Part& part)
{
    return changed(program, part,
        [](const Reading& reading, const ast::Clause& clause, const Taken& taken, const QString& condition, Changes& changes) {
            restrict(reading, clause, condition, changes);
            // What the body sets goes on being set: only what it aggregates becomes stacks.
            changes.push_back({taken.whole->at.begin, taken.whole->at.end, "@[execname, ustack()] = count()"});
        });
}

std::optional<QString> byThread(const QString& program)
{
    const auto reading = readProgram(program);
    if (reading.error()) return std::nullopt;
    Changes changes;
    for (const auto& item : reading.program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (!clause) continue;
        std::vector<Taken> all;
        collect(clause->body, all);
        for (const auto& taken : all) {
            const auto& keys = taken.aggregation->kids;
            const bool hasStack = std::any_of(keys.begin(), keys.end(), [](const auto& key) { return isStack(*key); });
            const bool hasThread
                = std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return textOf(reading, *key) == QLatin1String("tid"); });
            if (hasStack && !hasThread) changes.push_back({keys.front()->at.begin, keys.front()->at.begin, "tid, "});
        }
    }
    if (changes.empty()) return std::nullopt;
    return applied(reading, changes);
}
} // namespace dscope::gui
