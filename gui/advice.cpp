#include "gui/advice.h"
#include "engine/options/options.h"
#include "gui/reading.h"
#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
namespace dscope::gui {
namespace {
struct AdviceWords {
    Q_DECLARE_TR_FUNCTIONS(Advice)
};
using Kind = record::Drop::Kind;
constexpr std::uint64_t kMore = 4; ///< times what there was

/// The option that says how much there may be of a kind; empty where none does.
const char* roomOf(Kind kind)
{
    switch (kind) {
    case Kind::Principal:
    case Kind::Stack:
    case Kind::Process: return "bufsize";
    case Kind::Aggregation: return "aggsize";
    case Kind::Dynamic: return "dynvarsize";
    case Kind::Speculation: return "specsize";
    case Kind::SpeculationBusy:
    case Kind::SpeculationUnavailable: return "nspec";
    case Kind::Error:
    case Kind::Firing: break;
    }
    return "";
}
QString wordsOf(Kind kind)
{
    switch (kind) {
    case Kind::Principal: return AdviceWords::tr("events were lost: the trace buffer was full");
    case Kind::Aggregation: return AdviceWords::tr("values were lost: there was no room for more keys");
    case Kind::Dynamic: return AdviceWords::tr("variables were lost: there was no room for more threads or keys");
    case Kind::Speculation:
    case Kind::SpeculationBusy:
    case Kind::SpeculationUnavailable: return AdviceWords::tr("speculations were lost");
    case Kind::Stack: return AdviceWords::tr("stacks were lost");
    case Kind::Process: return AdviceWords::tr("process events were lost");
    case Kind::Error: return AdviceWords::tr("errors were lost");
    case Kind::Firing: return AdviceWords::tr("events were not seen: the kernel ran no program for them");
    }
    return {};
}
/// "#pragma D option name=value" in a program: the value, and where the text of the pragma stands.
struct Setting {
    std::string value;
    Span at;
};
std::optional<Setting> settingOf(const Reading& reading, std::string_view option)
{
    std::optional<Setting> last; // the last one counts
    for (const auto& item : reading.program.items) {
        const auto* pragma = std::get_if<ast::Pragma>(&item.is);
        const auto start = "option " + std::string(option) + "=";
        if (pragma && pragma->text.starts_with(start)) last = Setting{pragma->text.substr(start.size()), pragma->at};
    }
    return last;
}
const Losses::value_type* most(const Losses& losses)
{
    const auto found = std::max_element(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return found == losses.end() || found->second == 0 ? nullptr : &*found;
}
/// 16m rather than 16777216.
QString sized(std::uint64_t bytes)
{
    constexpr std::pair<std::uint64_t, char> kUnits[]{{1ULL << 30U, 'g'}, {1ULL << 20U, 'm'}, {1ULL << 10U, 'k'}};
    for (const auto& [unit, letter] : kUnits)
        if (bytes >= unit && bytes % unit == 0) return QString::number(bytes / unit) + QChar(letter);
    return QString::number(bytes);
}
} // namespace

std::optional<Advice> adviceOn(const Losses& losses, const QString& program)
{
    const auto* worst = most(losses);
    const auto* row = worst ? options::find(roomOf(worst->first)) : nullptr;
    if (!row) return std::nullopt;

    const auto set = settingOf(readProgram(program), row->name);
    auto now = options::parseSize(row->unset);
    if (set)
        if (const auto given = options::parseSize(set->value)) now = given;
    const auto next = std::min(now.value_or(1) * kMore, row->most);
    if (next <= now.value_or(0)) return std::nullopt; // there is no more to be had
    return Advice{QString::fromUtf8(row->name.data(), static_cast<qsizetype>(row->name.size())), sized(next)};
}

QString withOption(const QString& program, const Advice& advice)
{
    const auto line = QStringLiteral("#pragma D option %1=%2").arg(advice.option, advice.value);
    const auto reading = readProgram(program);
    const auto set = settingOf(reading, advice.option.toStdString());
    if (!set) return line + QChar('\n') + program;

    auto text = reading.sources.at(reading.file).text;
    text.replace(set->at.begin, set->at.end - set->at.begin, line.toStdString());
    return QString::fromStdString(text);
}

QString lossText(const Losses& losses, std::uint64_t kept)
{
    const auto* worst = most(losses);
    if (!worst) return {};
    const QLocale locale;
    const auto lost = locale.toString(qulonglong(worst->second));
    const auto words = wordsOf(worst->first);
    if (worst->first != Kind::Principal || kept == 0) return AdviceWords::tr("%1 %2").arg(lost, words);
    return AdviceWords::tr("%1 of %2 %3").arg(lost, locale.toString(qulonglong(worst->second + kept)), words);
}

QString boundsText(const graph::Store::Bounds& bounds)
{
    const QLocale locale;
    QStringList all;
    if (bounds.fired > 0)
        all << AdviceWords::tr("%1 later records are not kept here: a recording has all").arg(locale.toString(qulonglong(bounds.fired)));
    if (bounds.processes > 0)
        all << AdviceWords::tr("%1 later events of processes are not kept here: a recording has all")
                   .arg(locale.toString(qulonglong(bounds.processes)));
    if (bounds.keys > 0)
        all << AdviceWords::tr("%1 keys with the least are left out over time").arg(locale.toString(qulonglong(bounds.keys)));
    return all.join(QStringLiteral(" \u00b7 "));
}
} // namespace dscope::gui
