#include "graph/process_drawing.h"
#include "graph/palette.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::graph {
namespace {
constexpr std::array<std::int64_t, 6> kSteps{0, 10'000'000, 100'000'000, 500'000'000, 1'000'000'000, 2'000'000'000};
constexpr std::array<std::string_view, 6> kStepNames{"< 10 ms", "\u2265 10 ms", "\u2265 0.1 s", "\u2265 0.5 s", "\u2265 1 s", "\u2265 2 s"};
constexpr std::size_t kNamed = 3;

double levelOf(std::int64_t duration)
{
    std::size_t step = 0;
    while (step + 1 < kSteps.size() && duration >= kSteps[step + 1])
        ++step;
    return static_cast<double>(step) / 5;
}
Shade shadeOf(const Process& p)
{
    switch (p.how()) {
    case Process::End::Failure: return p.failedExec ? Shade::FailedExec : Shade::Failed;
    case Process::End::Signal: return Shade::Signalled;
    case Process::End::Running: return p.failedExec ? Shade::FailedExec : Shade::Running;
    case Process::End::Success: break;
    }
    return Shade::Plain;
}
std::string timeText(std::int64_t ns) { return formatDuration(static_cast<double>(ns)); }

// "-c src/a.c" and "-c src/b.c" give "-c src/….c".
std::string common(std::span<const Process> all, const std::vector<std::size_t>& members)
{
    std::string first = printable(all[members.front()].arguments());
    std::size_t head = first.size(), tail = first.size();
    for (const auto m : members) {
        if (head == 0 && tail == 0) break;
        const std::string other = printable(all[m].arguments());
        if (other == first) continue;
        head = std::min({head, other.size(),
            static_cast<std::size_t>(std::mismatch(first.begin(), first.end(), other.begin(), other.end()).first - first.begin())});
        tail = std::min({tail, other.size(),
            static_cast<std::size_t>(std::mismatch(first.rbegin(), first.rend(), other.rbegin(), other.rend()).first - first.rbegin())});
    }
    if (head == first.size() && tail == first.size()) return first;
    while (head > 0 && head < first.size() && (static_cast<unsigned char>(first[head]) & 0xC0U) == 0x80)
        --head; // whole characters
    tail = std::min(tail, first.size() - head);
    while (tail > 0 && (static_cast<unsigned char>(first[first.size() - tail]) & 0xC0U) == 0x80)
        --tail;
    return first.substr(0, head) + "\u2026" + first.substr(first.size() - tail);
}
std::int64_t median(std::span<const Process> all, const std::vector<std::size_t>& members, std::int64_t now)
{
    std::vector<std::int64_t> times;
    for (const auto m : members)
        times.push_back(all[m].duration(now));
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}
// "sed ×40, sh ×30, …": the most frequent first.
std::string census(std::span<const Process> all, const std::vector<std::size_t>& members)
{
    std::map<std::string, std::int64_t> counts;
    for (const auto m : members)
        ++counts[printable(all[m].name())];
    std::vector<std::pair<std::int64_t, std::string>> order;
    for (const auto& [name, n] : counts)
        order.emplace_back(-n, name);
    std::sort(order.begin(), order.end());
    std::string out;
    for (std::size_t i = 0; i < std::min(order.size(), kNamed); ++i)
        out += (i ? ", " : "") + order[i].second + (order[i].first < -1 ? " \u00d7" + std::to_string(-order[i].first) : "");
    return order.size() > kNamed ? out + ", \u2026" : out;
}
std::string endOf(std::span<const Process> all, const std::vector<std::size_t>& members)
{
    std::string same = all[members.front()].endText();
    std::size_t wrong = 0;
    for (const auto m : members) {
        const auto how = all[m].how();
        if (how == Process::End::Failure || how == Process::End::Signal) ++wrong;
        if (all[m].endText() != same) same.clear();
    }
    if (!same.empty()) return same;
    return wrong > 0 ? std::to_string(wrong) + " failed" : std::string();
}
std::string hexColour(std::int32_t rgb)
{
    std::string out = "#";
    for (int shift = 20; shift >= 0; shift -= 4)
        out += "0123456789ABCDEF"[(rgb >> shift) & 15];
    return out;
}
} // namespace

ProcessLabel labelOf(std::span<const Process> all, const ShownProcess& node, std::int64_t now, bool redact)
{
    const auto& p = all[node.members.front()];
    const std::size_t n = node.members.size();
    ProcessLabel label;
    label.duration = timeText(node.duration);
    label.end = endOf(all, node.members);
    if (node.rest) {
        label.name = "\u2026 " + formatGrouped(static_cast<std::int64_t>(n)) + " more (" + label.duration + ')';
        label.arguments = census(all, node.members);
        label.facts
            = node.below > 0 ? "and " + formatGrouped(static_cast<std::int64_t>(node.below)) + " below them" : "not shown one by one";
        label.shortFacts = label.facts;
        return label;
    }
    label.name = printable(p.name());
    if (p.failedExec && n == 1)
        label.arguments = "exec of " + printable(baseName(p.failedExec->path)) + " failed";
    else if (!redact)
        label.arguments = n > 1 ? common(all, node.members) : printable(p.arguments());
    if (n > 1) {
        label.name += " \u00d7" + std::to_string(n);
        label.facts = label.duration + " in all \u00b7 p50 " + timeText(median(all, node.members, now));
    } else {
        label.facts = "pid " + std::to_string(p.pid) + " \u00b7 " + label.duration;
        if (!p.start && p.images.empty() && !p.end) {
            label.facts = "pid " + std::to_string(p.pid) + " \u00b7 before tracing";
            label.duration.clear();
            label.end.clear();
        }
        if (p.images.size() > 1) label.facts += " \u00b7 " + std::to_string(p.images.size()) + " execs";
    }
    if (node.below > 0) label.facts += " \u00b7 +" + formatGrouped(static_cast<std::int64_t>(node.below)) + " below";
    label.shortFacts = label.facts;
    if (n == 1 && p.end && p.cpu > 0) label.facts += " (cpu " + timeText(static_cast<std::int64_t>(p.cpu)) + ')';
    return label;
}
std::string tipOf(std::span<const Process> all, const ShownProcess& node, const ProcessLabel& label, bool redact)
{
    const auto& p = all[node.members.front()];
    std::string tip = label.name;
    if (node.members.size() == 1 && !redact) {
        if (!p.images.empty())
            for (const auto& image : p.images)
                tip += '\n' + printable(image.path);
        const std::string line = printable(p.commandLine());
        if (!line.empty()) tip += '\n' + line;
        if (!p.image().cwd.empty()) tip += "\nin " + printable(p.image().cwd);
    } else if (!label.arguments.empty()) {
        tip += '\n' + label.arguments;
    }
    tip += '\n' + label.facts;
    if (p.failedExec && node.members.size() == 1)
        tip += "\nexec of " + printable(p.failedExec->path) + " failed: " + errorName(p.failedExec->status);
    if (!label.end.empty()) tip += '\n' + label.end;
    return tip;
}
std::vector<std::pair<std::string, std::string>> nodeLook(const Process& process, std::int64_t now)
{
    Item item;
    item.role = Role::Node;
    item.shape = Box{};
    item.shade = shadeOf(process);
    item.level = levelOf(process.duration(now));
    const Style box = style(item, Theme::Light);
    item.shape = Text{};
    const Style text = style(item, Theme::Light);
    std::string look = "rounded,filled";
    if (item.shade == Shade::Running) look += ",dashed";
    if (item.shade == Shade::FailedExec) look += ",dotted";
    std::vector<std::pair<std::string, std::string>> out{{"style", look}, {"fillcolor", hexColour(box.fill)},
        {"color", hexColour(box.stroke)}, {"fontcolor", hexColour(text.text)}, {"penwidth", formatFixed(box.strokeWidth, 1)}};
    if (box.doubled) out.emplace_back("peripheries", "2");
    return out;
}
std::vector<Point> edgeCurve(const Point& from, const Point& to, double fromWidth, double toWidth)
{
    const Point a{from.x + fromWidth / 2, from.y}, b{to.x - toWidth / 2, to.y};
    const double middle = (a.x + b.x) / 2;
    return {a, {middle, a.y}, {middle, b.y}, b};
}
void drawProcess(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, NodeDetail detail, std::int64_t now,
    bool redact, std::optional<Row> row)
{
    const auto& p = all[node.members.front()];
    const auto label = labelOf(all, node, now, redact);
    const bool known = !label.duration.empty();
    const Shade shade = node.rest || !known ? Shade::Plain : shadeOf(p);
    const double level = known ? levelOf(node.duration) : -1;
    const double step = detail == NodeDetail::Line ? 2 : 4;
    // More sheets behind say that there is more than one, or more below.
    if (node.rest || node.members.size() > 1 || node.below > 0)
        for (const double off : {2 * step, step})
            page.box(Role::Node, {box.x + off, box.y + off, box.width, box.height, box.radius});
    Item& frame = page.box(Role::Node, box, shade);
    frame.level = level;
    frame.key = label.name;
    frame.tip = tipOf(all, node, label, redact);
    frame.row = row;
    frame.data = {{"pid", std::to_string(p.pid)}, {"duration-ns", std::to_string(node.duration)}};
    if (node.members.size() > 1)
        frame.data = {{"processes", std::to_string(node.members.size())}, {"duration-ns", std::to_string(node.duration)}};
    if (known && p.end && node.members.size() == 1) frame.data.emplace_back("status", std::to_string(p.status));

    const double pad = detail == NodeDetail::Line ? 8 : 12, left = box.x + pad, room = box.width - 2 * pad;
    const auto put = [&](double x, double y, const std::string& text, TextStyle how, Shade own) {
        Item& item = page.text(own == shade ? Role::Node : Role::Label, {x, y}, text, how, own);
        if (item.role == Role::Node) item.level = level;
    };
    const Shade endShade = shade == Shade::Failed || shade == Shade::Signalled ? shade
        : shade == Shade::Running && level < 0                                 ? Shade::Running
                                                                               : shade;
    // Words that a stroke or fill says too, in the colour that belongs to them.
    const auto putEnd = [&](double y, const std::string& text) -> double {
        if (text.empty()) return 0;
        const bool coloured = endShade == Shade::Failed || endShade == Shade::Signalled;
        const double width = std::min(textWidth(text, 12, true), room * 0.5);
        Item& item = page.text(coloured ? Role::Label : Role::Node, {box.x + box.width - pad, y}, text,
            {.size = 12, .bold = true, .anchor = Anchor::End, .maxWidth = room * 0.5}, endShade);
        if (!coloured) item.level = level;
        return width + 8;
    };
    if (detail == NodeDetail::Line) {
        const double y = box.y + box.height / 2 + 4.5;
        const bool plain = label.end.empty() || shade == Shade::Running; // the dashes say that it runs
        const std::string right = plain ? node.rest ? std::string() : label.duration : label.end;
        double taken = 0;
        if (!plain)
            taken = putEnd(y, right);
        else if (!right.empty()) {
            put(box.x + box.width - pad, y, right, {.size = 12, .anchor = Anchor::End}, shade);
            taken = textWidth(right, 12) + 8;
        }
        std::string name = label.name;
        if (node.below > 0 && !node.rest) name += " +" + formatGrouped(static_cast<std::int64_t>(node.below));
        put(left, y, name, {.size = 13, .bold = true, .maxWidth = room - taken}, shade);
        const double used = textWidth(elided(name, room - taken, 13, false, true), 13, true) + 8;
        if (room - taken - used > 40)
            put(left + used, y, label.arguments, {.size = 12, .mono = true, .maxWidth = room - taken - used, .middle = true}, shade);
        return;
    }
    const double first = box.y + (detail == NodeDetail::Full ? 22 : 18), second = box.y + (detail == NodeDetail::Full ? 40 : 35);
    double taken = putEnd(first, label.end);
    std::string facts = label.shortFacts;
    if (detail == NodeDetail::Medium && label.end.empty() && !node.rest && known) {
        put(box.x + box.width - pad, first, label.duration, {.size = 12, .anchor = Anchor::End}, shade);
        taken = textWidth(label.duration, 12) + 8;
        const std::string again = " \u00b7 " + label.duration; // is not said twice
        if (const auto at = facts.find(again); at != std::string::npos && node.members.size() == 1) facts.erase(at, again.size());
    }
    put(left, first, label.name, {.size = detail == NodeDetail::Full ? 15.0 : 14.0, .bold = true, .maxWidth = room - taken}, shade);
    if (detail == NodeDetail::Full) {
        put(left, second, label.arguments, {.size = 12, .mono = true, .maxWidth = room, .middle = true}, shade);
        put(left, box.y + 57, textWidth(label.facts, 12) <= room ? label.facts : label.shortFacts, {.size = 12, .maxWidth = room}, shade);
    } else if (!label.arguments.empty() && node.below == 0) {
        put(left, second, label.arguments, {.size = 12, .mono = true, .maxWidth = room, .middle = true}, shade);
    } else {
        put(left, second, node.rest ? label.facts + " \u00b7 " + label.arguments : facts, {.size = 12, .maxWidth = room}, shade);
    }
}
void drawSpan(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, std::int64_t now, bool redact)
{
    const auto& p = all[node.members.front()];
    Item& bar = page.box(Role::Node, box, shadeOf(p));
    bar.level = levelOf(node.duration);
    const auto label = labelOf(all, node, now, redact);
    bar.key = label.name;
    bar.tip = tipOf(all, node, label, redact);
    bar.data = {{"pid", std::to_string(p.pid)}, {"duration-ns", std::to_string(node.duration)}};
}
double drawDurations(Page& page, Point at, double width)
{
    page.text(Role::Label, {at.x, at.y}, "Duration", {.size = 13, .bold = true});
    const double cell = std::min(62.0, width / static_cast<double>(kSteps.size()));
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
        const double x = at.x + cell * static_cast<double>(i);
        page.box(Role::Node, {x, at.y + 12, cell, 16, 0}).level = static_cast<double>(i) / 5;
        page.text(Role::Note, {x + cell / 2, at.y + 46}, kStepNames[i], {.size = 11, .anchor = Anchor::Middle, .maxWidth = cell});
    }
    return at.y + 52;
}
void drawFindings(Page& page, Point at, double width, double bottom, const std::vector<std::string>& findings)
{
    if (findings.empty()) return;
    double y = at.y;
    page.text(Role::Label, {at.x, y}, "Findings", {.size = 13, .bold = true});
    y += 24;
    for (const auto& finding : findings) {
        const auto lines = wrapped(finding, width - 14, 13, 2);
        if (y + 20 * static_cast<double>(lines.size()) > bottom) break;
        page.text(Role::Label, {at.x, y}, "\u2022", {.size = 13});
        for (const auto& line : lines) {
            page.text(Role::Label, {at.x + 14, y}, line, {.size = 13, .maxWidth = width - 14});
            y += 20;
        }
        y += 4;
    }
}
} // namespace dscope::graph
