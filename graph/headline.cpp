#include "graph/headline.h"
#include "graph/difference.h"
#include "graph/frame_label.h"
#include "graph/names/function_name.h"
#include "graph/process_findings.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kLeastOfStacks = 0.25, kLeastOfKeys = 0.5, kLeastOfTime = 0.5;
constexpr double kLeastLead = 0.1, kLeastRatio = 1.25; // of a process: its lead in shares of the whole, and how many times the next
constexpr std::size_t kLetters = 48; // of a name in a title
constexpr double kNarrow = 58;       // of the smallest text: of a page's width

/// "58.2 of 96.7 ms", "0.9 ms of 1.20 s".
std::string partOf(std::int64_t part, std::int64_t whole)
{
    const std::string a = formatDuration(static_cast<double>(part)), b = formatDuration(static_cast<double>(whole));
    const auto x = a.rfind(' '), y = b.rfind(' ');
    const bool same = x != std::string::npos && y != std::string::npos && a.substr(x) == b.substr(y);
    return said("%1 of %2", same ? a.substr(0, x) : a, b);
}
bool isNarrowPage(const LayoutOptions& options)
{
    return options.heading == Heading::Drawn && !options.forScreen && options.width < kNarrow * smallestText(options);
}
/// Whether a title may not go on in a second line.
bool hasOneLineOfTitle(const LayoutOptions& options)
{
    return isNarrowPage(options) || (options.heading == Heading::Drawn && !options.forScreen && isLowPage(options));
}
} // namespace

std::string functionInTitle(std::string_view frame)
{
    const auto end = frame.find('`');
    const std::string whole = printable(end == std::string_view::npos ? frame : frame.substr(end + 1));
    if (!namesFunction(frame)) return {};
    if (addressIn(frame) != frame.npos) return whole;
    auto forms = nameForms(whole);
    std::string name = forms.back();
    for (const auto& form : forms)
        if (form.size() <= kLetters && form.find('(') == std::string::npos) {
            name = form;
            break;
        }
    return name + (name.ends_with(')') ? "" : "()");
}

std::string shareInTitle(double share)
{
    constexpr double kRoundsToAll = 0.995;
    return share >= kRoundsToAll && share < 1 ? said("more than 99 %") : formatDecimal(100 * share, 0) + " %";
}

namespace {
/// "(370 of 918 ms, run 3.49 s)" of a time in all; empty if the length of the run is unknown.
std::string timesOf(const Stacks& stacks, double share, std::int64_t time)
{
    const auto run = stacks.runTime();
    if (run <= 0) return {};
    return said("(%1, run %2)", partOf(std::llround(share * static_cast<double>(time)), time), formatDuration(static_cast<double>(run)));
}

/// That so much of the values of stacks is in `name`, or is called from there.
Claim stackClaim(const Stacks& stacks, double share, const std::string& name)
{
    const auto& measure = stacks.measure();
    const auto part = capital(shareInTitle(share)); // it begins the title
    const bool isTime = measure.unit() == Unit::Nanoseconds, isBytes = measure.unit() == Unit::Bytes;
    if (stacks.implied().leavesCallers()) {
        const auto text = measure.isCount ? said("%1 of the %2 come from %3", part, measure.noun.said(), name)
            : isTime                      ? said("%1 of the time is in calls from %2", part, name)
            : isBytes                     ? said("%1 of the bytes come from %2", part, name)
                                          : said("%1 of the sum comes from %2", part, name);
        return {text, {said("%1 from %2", part, name)}};
    }

    const auto brief = said("%1 in %2", part, name);
    if (stacks.cpuTime() > 0) {
        const auto plain = said("%1 of the CPU time is in %2", part, name);
        const auto times = timesOf(stacks, share, stacks.cpuTime());
        if (times.empty()) return {plain, {brief}};
        return {said("%1 of the CPU time %2 is in %3", part, times, name), {plain, brief}};
    }
    if (isTime && stacks.implied().isWaiting()) {
        const auto plain = said("%1 of the waiting time is in %2", part, name);
        const auto times = timesOf(stacks, share, measure.inUnit(stacks.total()));
        if (times.empty()) return {plain, {brief}};
        return {said("%1 of the waiting time %2 is in %3", part, times, name), {plain, brief}};
    }

    const auto text = isTime ? said("%1 of the time is in %2", part, name)
        : measure.isCount    ? said("%1 of the %2 are in %3", part, measure.noun.said(), name)
        : isBytes            ? said("%1 of the bytes are in %2", part, name)
                             : said("%1 of the sum is in %2", part, name);
    return {text, {brief}};
}

/// Of what nobody knows how to name nothing is claimed.
Claim claimOfLargest(const Stacks& stacks, const LargestEnd& end)
{
    const auto total = static_cast<double>(stacks.total()), most = static_cast<double>(end.most), next = static_cast<double>(end.next);
    const bool isCount = stacks.measure().isCount;
    if (total <= 0 || end.name.empty() || (isCount && total < kFewestCounted) || most < kLeastOfStacks * total) return {};
    const bool isAhead = isCount ? countChange(next, most).told : valueChange(next, most, 1, total).told;
    return isAhead ? stackClaim(stacks, most / total, end.name) : Claim();
}
} // namespace

Claim headlineOf(const Stacks& stacks)
{
    const auto ends = stacks.tellingEnds(2);
    if (ends.empty()) return {};
    return claimOfLargest(stacks, {functionInTitle(ends[0].first), ends[0].second, ends.size() > 1 ? ends[1].second : 0});
}

Claim headlineOf(const Stacks& stacks, const LargestEnd& end)
{
    return stacks.implied().isPlaced() ? Claim() : claimOfLargest(stacks, end);
}

Claim headlineOf(const Ranking& ranking, const std::string& noun)
{
    const auto& lines = ranking.lines;
    const bool isCount = ranking.shape.function == record::Aggregator::Count;
    if (!ranking.adds() || lines.size() < 2 || ranking.shape.keys.empty() || ranking.total <= 0) return {};
    if (isCount && ranking.total < kFewestCounted) return {};
    if (std::any_of(lines.begin(), lines.end(), [](const Ranking::Line& l) { return l.value < 0; })) return {};
    const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    if (most->value < kLeastOfKeys * ranking.total) return {};
    const std::string name = printable(Ranking::label(*most));
    if (name.empty() || name.size() > kLetters) return {};
    const auto share = shareInTitle(most->value / ranking.total);
    const auto text = isCount                       ? said("%1 has %2 of all %3", name, share, noun)
        : ranking.measure.unit == Unit::Bytes       ? said("%1 has %2 of all bytes", name, share)
        : ranking.measure.unit == Unit::Nanoseconds ? said("%1 has %2 of all time", name, share)
                                                    : said("%1 has %2 of the sum", name, share);
    return {text, {name + ": " + share}};
}

Claim headlineOf(std::span<const DistributionGroup> groups, const std::string& noun)
{
    if (groups.size() != 1 || groups.front().members.size() != 1) return {};
    const auto& group = groups.front();
    const auto& values = group.members.front().values;
    const bool isTime = group.measure.unit == Unit::Nanoseconds;
    if (values.total < kFewestCounted || (!isTime && group.measure.unit != Unit::Bytes)) return {};
    const int half = values.percentile(0.5), most = values.percentile(0.99);
    const auto low = record::bucketRange(group.shape, half), high = record::bucketRange(group.shape, most);
    if (half == most || !low.high || !high.low || *low.high < 0) return {};
    const auto text = [&](std::int64_t value) { return group.measure.format(static_cast<double>(value)); };
    double below = 0, above = 0; // what is said is counted: the percentiles say where
    for (const auto& [bucket, count] : values.counts) {
        if (bucket <= half) below += count;
        if (bucket >= most) above += count;
    }
    const auto share = [&](double count) {
        const double part = count / values.total;
        return part < 0.0995 ? formatShare(part, 1) : capital(shareInTitle(part));
    };
    const auto less = text(*low.high + 1), more = text(*high.low);
    if (isTime)
        return {said("%1 of the %2 take less than %3, %4 take %5 or more", share(below), noun, less, share(above), more),
            {said("%1 take less than %2", share(below), less)}};
    return {said("%1 of the %2 are smaller than %3, %4 are %5 or more", share(below), noun, less, share(above), more),
        {said("%1 are smaller than %2", share(below), less)}};
}

Claim headlineOf(const Family& family, Privacy privacy)
{
    const auto& [all, now, root, shown, path, command] = family;
    if (!root || shown.size() < 3) return {};
    const auto whole = all[*root].duration(now), rootEnd = all[*root].end.value_or(now);
    std::vector<bool> isParent(all.size(), false);
    for (const auto i : shown)
        if (all[i].parent) isParent[*all[i].parent] = true;

    std::size_t longest = *root;
    std::int64_t took = 0, next = 0;
    for (const auto i : shown) {
        const auto& p = all[i];
        if (!p.start || isParent[i] || i == *root || p.end.value_or(now) > rootEnd) continue;
        const auto own = p.duration(now);
        next = std::max(next, std::min(own, took));
        if (own <= took) continue;
        longest = i;
        took = own;
    }

    const auto of = [](std::int64_t part, double share) { return share * static_cast<double>(part); };
    const bool isAhead = static_cast<double>(took - next) >= of(whole, kLeastLead) && static_cast<double>(took) >= of(next, kLeastRatio);
    if (whole <= 0 || took > whole || static_cast<double>(took) < of(whole, kLeastOfTime) || !isAhead || !path.has(longest)) return {};
    const auto part = partOf(took, whole), name = calledIn(all[longest], privacy);
    return {said("%1 are one process: %2", part, name), {part + ": " + name, part + ": " + name.substr(0, name.find(' '))}};
}

std::string fittingTitle(const LayoutOptions& options, const std::vector<std::string>& forms)
{
    if (options.heading != Heading::Drawn || options.forScreen) return forms.front();
    const auto fits = isNarrowPage(options) ? isTitleOfOneLine : isWholeTitle;
    for (const auto& form : forms)
        if (fits(options, form)) return form;
    return forms.back();
}

std::vector<std::string> titlesAbout(const char* title, const char* brief, std::string_view frame)
{
    const std::string whole = printable(frame);
    const auto module = whole.find('`');
    const auto names = nameForms(module == std::string::npos ? whole : whole.substr(module + 1));
    std::vector<std::string> forms{said(title, whole)};
    for (const auto* words : {title, brief})
        for (const auto& name : names)
            forms.push_back(said(words, name));
    forms.insert(forms.end(), names.begin(), names.end());
    return forms;
}

Headed headed(const LayoutOptions& options, const Claim& claim, std::string title, std::string subtitle)
{
    if (claim.empty() || options.title || options.forScreen) return {std::move(title), std::move(subtitle), false};
    // In a column of print a long title would take the room of the figure, and a paper has a caption.
    const bool isNarrow = isNarrowPage(options);
    std::vector<std::string> forms{claim.text};
    forms.insert(forms.end(), claim.shorter.begin(), claim.shorter.end());
    const auto claimed = fittingTitle(options, forms);
    if (isNarrow && !isTitleOfOneLine(options, claimed)) return {std::move(title), std::move(subtitle), false};
    return {claimed, subtitle.empty() ? std::move(title) : title + kMiddleDot + subtitle, true};
}

Headed headedByWhose(const LayoutOptions& options, Headed words, const Whose& whose)
{
    if (!whose.isWiderThanTarget()) return words;
    const auto command = whose.command(options.privacy());
    const auto fact = command.empty() ? said("all processes") : said("all processes during %1", command);
    std::vector<std::string> forms;
    if (words.isFinding) {
        if (!command.empty()) forms.push_back(said("All processes during %1: %2", command, words.title));
        forms.push_back(said("All processes: %1", words.title));
    } else {
        forms.push_back(words.title + kMiddleDot + fact);
        if (!command.empty()) forms.push_back(words.title + kMiddleDot + said("all processes"));
    }
    if (!options.title && !words.title.empty())
        for (const auto& form : forms)
            if (isTitleOfOneLine(options, form) || (&form == &forms.back() && !hasOneLineOfTitle(options))) {
                words.title = form;
                return words;
            }
    words.subtitle = words.subtitle.empty() ? fact : fact + kMiddleDot + words.subtitle;
    return words;
}
} // namespace dscope::graph
