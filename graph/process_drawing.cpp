#include "graph/process_drawing.h"
#include "graph/palette.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::graph {
namespace {
constexpr std::array<std::int64_t, 6> kSteps{0, 10'000'000, 100'000'000, 500'000'000, 1'000'000'000, 2'000'000'000};
constexpr std::size_t kNamed = 3, kFewestShown = 4;
constexpr const char* kNext = ", ";

/// Where a step begins: "0.1 s".
std::string stepEdge(std::size_t step)
{
    constexpr std::int64_t kTenth = 100'000'000, kSecond = 1'000'000'000;
    const auto edge = kSteps[step];
    if (edge == 0) return "0";
    if (edge < kTenth) return formatDecimal(static_cast<double>(edge) / 1e6, 0) + " ms";
    return formatDecimal(static_cast<double>(edge) / static_cast<double>(kSecond), edge % kSecond == 0 ? 0 : 1) + " s";
}
std::string stepName(std::size_t step) { return step == 0 ? "< " + stepEdge(1) : "\u2265 " + stepEdge(step); }
std::string inALine(std::span<const ProcessFact> facts, std::string ProcessFact::*form)
{
    std::string out;
    for (const auto& fact : facts)
        out += (out.empty() ? "" : kMiddleDot) + fact.*form;
    return out;
}
std::size_t stepOf(std::int64_t duration)
{
    std::size_t step = 0;
    while (step + 1 < kSteps.size() && duration >= kSteps[step + 1])
        ++step;
    return step;
}
double levelOf(std::int64_t duration) { return static_cast<double>(stepOf(duration)) / 5; }
/// `text` cut to `width`, unless fewer than four letters of it would be left.
std::string cutTo(const std::string& text, double width, double size, const TextStyle& how)
{
    std::string cut = elided(text, width, size, how.middle ? Elide::Middle : Elide::End, {.bold = how.bold, .mono = how.mono});
    return cut == text || cut.size() >= kFewestShown + kEllipsis.size() ? cut : std::string();
}
/// Whether the next argument names what is written: compilers, linkers and assemblers agree on -o; GCC's driver gives its compilers the
/// others (GCC's manual, "Overall Options" and "Options Controlling the Preprocessor").
bool namesResult(std::string_view argument)
{
    constexpr std::array<std::string_view, 9> kBefore{
        "-o", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-auxbase", "-auxbase-strip", "-MF", "-MT", "-MQ"};
    return std::find(kBefore.begin(), kBefore.end(), argument) != kBefore.end();
}
bool isTemporary(std::string_view argument)
{
    return argument.starts_with("/tmp/") || argument.starts_with("/var/tmp/") || argument.starts_with("/dev/");
}
Shade shadeOfProcess(const Process& p)
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
// "a.c, b.c, c.c": what tells each of them from the others, as far as one line can have room for. Empty where nothing tells them apart.
std::string differing(std::span<const Process> all, const std::vector<std::size_t>& members, const Shared& shared)
{
    constexpr std::size_t kMostLetters = 400;
    std::string out;
    std::set<std::string> named;
    for (const auto m : members) {
        const auto telling = tellingArguments(all[m], shared);
        if (telling.empty() || !named.insert(telling).second) continue;
        if (out.size() > kMostLetters) return out + kNext + std::string(kEllipsis);
        out += (out.empty() ? "" : kNext) + telling;
    }
    return out;
}
/// As many of these, in mono, as `width` has room for: "a.c, b.c, …". Empty where the first has none.
std::string firstOf(std::string list, double width, double size)
{
    const std::string more = kNext + std::string(kEllipsis);
    if (textWidth(list, size, {.mono = true}) <= width) return list;
    for (auto at = list.rfind(kNext); at != std::string::npos; at = list.rfind(kNext)) {
        list.erase(at);
        if (textWidth(list + more, size, {.mono = true}) <= width) return list + more;
    }
    return {};
}
/// Whether what is left of the arguments says where a file is for a while, and no more.
bool cutsTemporary(std::string_view arguments)
{
    const auto cut = arguments.find(kEllipsis);
    if (cut == std::string_view::npos) return false;
    const auto space = arguments.substr(0, cut).rfind(' ');
    return isTemporary(arguments.substr(space == std::string_view::npos ? 0 : space + 1));
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
        out += (i ? ", " : "") + order[i].second + (order[i].first < -1 ? " \u00d7" + formatGrouped(-order[i].first) : "");
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
    return wrong > 0 ? said("%1 failed", std::to_string(wrong)) : std::string();
}
std::string hexColour(std::int32_t rgb)
{
    std::string out = "#";
    for (int shift = 20; shift >= 0; shift -= 4)
        out += "0123456789ABCDEF"[(rgb >> shift) & 15];
    return out;
}
/// Whether it runs a script, of which its last program is the interpreter: execve(2), "Interpreter scripts".
bool isScript(const Process& p)
{
    if (p.images.size() < 2) return false;
    const auto script = baseName(p.images.front().path);
    const auto& args = p.image().args;
    return std::any_of(args.begin() + (args.empty() ? 0 : 1), args.end(), [&](const std::string& arg) { return baseName(arg) == script; });
}
} // namespace

std::string nameIn(const ProcessLabel& label, double width, double size)
{
    const auto fits = [&](const std::string& text) { return textWidth(text, size, {.bold = true}) <= width; };
    if (fits(label.name)) return label.name;
    if (fits(label.shortName + label.times)) return label.shortName + label.times;
    if (!label.bareName.empty() && fits(label.bareName + label.times)) return label.bareName + label.times;
    const std::string& last = label.bareName.empty() ? label.shortName : label.bareName;
    const std::string cut = cutTo(last, width - textWidth(label.times, size, {.bold = true}), size, {.bold = true});
    if (!cut.empty()) return cut + label.times;
    const auto times = label.times.find_first_not_of(' ');
    return times != std::string::npos && fits(label.times.substr(times)) ? label.times.substr(times) : std::string();
}
std::string tellingArguments(const Process& p, const Shared& shared)
{
    std::vector<std::string> files, folders, others, results;
    const auto& args = p.image().args;
    for (std::size_t i = 1; i < args.size(); ++i) {
        const std::string& argument = args[i];
        if (argument.empty() || argument.front() == '-' || shared.contains(argument) || isTemporary(argument)) continue;
        const bool isText = argument.find(' ') != std::string::npos;
        const std::string word = printable(isText ? argument : std::string(baseName(argument)));
        const bool isFile = !isText && word.find('.', 1) != std::string::npos;
        auto& list = namesResult(args[i - 1])                    ? results
            : isFile                                             ? files
            : !isText && argument.find('/') != std::string::npos ? folders
                                                                 : others;
        if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
    }
    std::string out;
    for (const auto& word : !files.empty() ? files : !folders.empty() ? folders : !others.empty() ? others : results)
        out += (out.empty() ? "" : " ") + word;
    return out;
}
std::vector<Shared> sharedArguments(std::span<const Process> all, std::span<const ShownProcess> nodes)
{
    std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> families; // by parent and program
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (!nodes[i].rest) families[{nodes[i].parent, all[nodes[i].members.front()].name()}].push_back(i);
    std::vector<Shared> out(nodes.size());
    for (const auto& [family, siblings] : families) {
        std::map<std::string, std::size_t> having;
        std::size_t processes = 0;
        for (const auto i : siblings)
            for (const auto m : nodes[i].members) {
                ++processes;
                const auto& args = all[m].image().args;
                for (const auto& argument : Shared(args.begin(), args.end()))
                    ++having[argument];
            }
        if (processes < 2) continue;
        Shared shared;
        for (const auto& [argument, count] : having)
            if (count == processes) shared.insert(argument);
        for (const auto i : siblings)
            out[i] = shared;
    }
    return out;
}
std::int64_t longestOf(std::span<const Process> all, const ShownProcess& node, std::int64_t now)
{
    std::int64_t longest = 0;
    for (const auto m : node.members)
        longest = std::max(longest, all[m].duration(now));
    return longest;
}
ProcessLabel labelOf(std::span<const Process> all, const ShownProcess& node, std::int64_t now, Privacy privacy, const Shared& shared)
{
    const auto& p = all[node.members.front()];
    const std::size_t n = node.members.size();
    ProcessLabel label;
    if (p.hasTimes) label.duration = timeText(node.duration);
    label.end = endOf(all, node.members);
    if (node.rest) {
        label.times = said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(n)));
        label.name = node.duration > 0 ? label.times + " (" + label.duration + ')' : label.times;
        label.arguments = census(all, node.members);
        const auto fact = node.below > 0 ? said("and %1 below them", formatGrouped(static_cast<std::int64_t>(node.below)))
                                         : said("not shown one by one");
        label.parts = {{fact, fact}};
        label.facts = label.shortFacts = fact;
        return label;
    }

    const auto add = [&](const std::string& fact) { label.parts.push_back({fact, fact}); };
    label.name = label.shortName = printable(p.name());
    if (isScript(p)) {
        label.shortName = printable(baseName(p.images.front().path));
    } else if (p.images.size() > 1) {
        label.bareName = printable(baseName(p.image().path));
        label.shortName = std::string(kEllipsis) + " \u2192 " + label.bareName;
    }

    if (p.failedExec && n == 1)
        label.arguments = said("exec of %1 failed", printable(baseName(p.failedExec->path)));
    else if (privacy == Privacy::Open)
        label.arguments = n > 1 ? common(all, node.members) : printable(p.arguments());
    if (n > 1 && privacy == Privacy::Open && label.arguments.find(kEllipsis) != std::string::npos) {
        label.telling = differing(all, node.members, shared);
        if (!label.telling.empty() || cutsTemporary(label.arguments)) label.arguments = label.telling;
    }
    if (n == 1 && privacy == Privacy::Open && !p.failedExec) label.telling = tellingArguments(p, shared);
    if (n == 1 && p.failedExec) label.telling = label.arguments;
    if (n > 1) {
        label.times = " \u00d7" + formatGrouped(static_cast<std::int64_t>(n));
        label.name += label.times;
        if (p.hasTimes) {
            label.parts = {{label.duration + said(" in all"), label.duration, true}};
            add("p50 " + timeText(median(all, node.members, now)));
        }
    } else {
        add(said("pid %1", std::to_string(p.pid)));
        // Of one whose end alone was seen nobody knows how long it took.
        const bool isOnlyEnd = p.hasTimes && !p.start && p.end && node.duration == 0;
        if (isOnlyEnd || (!p.start && p.images.empty() && !p.end)) {
            add(said("before tracing"));
            label.duration.clear();
            if (!isOnlyEnd) label.end.clear();
        } else if (p.hasTimes) {
            label.parts.push_back({label.duration, label.duration, true});
        }
        if (p.images.size() > 1) add(said("%1 execs", std::to_string(p.images.size())));
    }

    if (node.below > 0) add(said("+%1 below", formatGrouped(static_cast<std::int64_t>(node.below))));
    label.facts = label.shortFacts = inALine(label.parts, &ProcessFact::text);
    if (n == 1 && p.end && p.cpu > 0) label.facts += ' ' + said("(cpu %1)", timeText(static_cast<std::int64_t>(p.cpu)));
    return label;
}
std::string tipOf(std::span<const Process> all, const ShownProcess& node, const ProcessLabel& label, Privacy privacy)
{
    const auto& p = all[node.members.front()];
    std::string tip = label.name;
    if (node.members.size() == 1 && privacy == Privacy::Open) {
        if (!p.images.empty())
            for (const auto& image : p.images)
                tip += '\n' + printable(image.path);
        const std::string line = printable(p.commandLine());
        if (!line.empty()) tip += '\n' + line;
        if (!p.image().cwd.empty()) tip += '\n' + said("in %1", printable(p.image().cwd));
    } else if (!label.arguments.empty()) {
        tip += '\n' + label.arguments;
    }
    tip += '\n' + label.facts;
    if (p.failedExec && node.members.size() == 1)
        tip += '\n' + said("exec of %1 failed: %2", printable(p.failedExec->path), errorName(p.failedExec->status));
    if (!label.end.empty()) tip += '\n' + label.end;
    if (node.onPath == node.members.size())
        tip += '\n' + said("on the critical path");
    else if (node.onPath > 0)
        tip += '\n' + said("%1 of %2 on the critical path", std::to_string(node.onPath), std::to_string(node.members.size()));
    return tip;
}
std::vector<std::pair<std::string, std::string>> nodeLook(const Process& process, std::int64_t now)
{
    Item item;
    item.role = Role::Node;
    item.shape = Box{};
    item.shade = shadeOfProcess(process);
    item.level = process.hasTimes ? levelOf(process.duration(now)) : -1;
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
namespace {
/// Writes the words of a node, each as large as the page's smallest text or larger.
class NodeWords {
public:
    NodeWords(
        Page& page, const ProcessLabel& label, const ShownProcess& node, const Box& box, Shade shade, double level, double size, double pad)
        : m_page(page), m_label(label), m_node(node), m_left(box.x + pad), m_right(box.x + box.width - pad), m_shade(shade), m_level(level),
          m_size(size)
    {
    }
    void line(double y) const;
    void lines(double y, NodeDetail detail) const;

private:
    bool wentWrong() const { return m_shade == Shade::Failed || m_shade == Shade::Signalled; }
    double room() const { return m_right - m_left; }
    double size() const { return m_size; }
    void put(double x, double y, const std::string& text, const TextStyle& how) const
    {
        if (!text.empty()) m_page.text(Role::Node, {x, y}, text, how, m_shade).level = m_level;
    }

    void putCut(double x, double y, const std::string& text, double width, TextStyle how) const
    {
        const auto cut = cutTo(text, width, how.size, how);
        if (cut.empty()) return;
        Item& item = m_page.text(Role::Node, {x, y}, cut, how, m_shade);
        item.level = m_level;
        if (cut != text) item.tip = text;
    }

    /// Draws the arguments: all if they fit, else the beginning and the end of those that tell most.
    void putArguments(double x, double y, double width) const
    {
        const TextStyle how{.size = size(), .mono = true, .middle = true};
        const bool isWhole = textWidth(m_label.arguments, size(), {.mono = true}) <= width;
        if (!isWhole && m_node.members.size() > 1 && !m_label.telling.empty()) {
            const auto first = firstOf(m_label.telling, width, size());
            if (!first.empty()) return putCut(x, y, first, width, how);
        }
        putCut(x, y, isWhole ? m_label.arguments : m_label.telling, width, how);
    }

    /// Draws facts as far as they have room: a number that is cut would be another one.
    void putFacts(double y, std::span<const ProcessFact> facts) const
    {
        auto text = inALine(facts, &ProcessFact::text);
        const auto fits = [&] { return textWidth(text, size()) <= room(); };
        if (!fits()) text = inALine(facts, &ProcessFact::brief);
        // The last fact matters most.
        for (; !fits() && facts.size() > 1; text = inALine(facts, &ProcessFact::brief))
            facts = facts.subspan(1);
        putCut(m_left, y, text, room(), {.size = size()});
    }

    /// Draws at the right how the process ended, how long it ran, or both where they leave `nameWidth` px. Returns the width in px.
    enum class Duration : std::uint8_t { Shown, Hidden };
    double putRight(double y, Duration shown, double nameWidth) const;

    Page& m_page;
    const ProcessLabel& m_label;
    const ShownProcess& m_node;
    double m_left, m_right;
    Shade m_shade;
    double m_level, m_size;
};
double NodeWords::putRight(double y, Duration shown, double nameWidth) const
{
    const bool tellsEnd = !m_label.end.empty() && m_shade != Shade::Running; // the dashes say that it runs
    const std::string duration = m_node.rest || shown == Duration::Hidden ? std::string() : m_label.duration;
    std::string text = tellsEnd ? m_label.end : duration;
    const std::string both = m_label.end + " \u00b7 " + duration;
    if (const double wide = textWidth(both, size(), {.bold = true});
        tellsEnd && !duration.empty() && (wide <= 0.45 * room() || wide + 8 + nameWidth <= room()))
        text = both;
    const double width = textWidth(text, size(), {.bold = tellsEnd});
    if (text.empty() || (width > 0.6 * room() && width + 8 + nameWidth > room())) return 0;
    // Words that a stroke or fill says too, in the colour that belongs to them.
    const bool isColoured = tellsEnd && wentWrong();
    Item& item = m_page.text(
        isColoured ? Role::Label : Role::Node, {m_right, y}, text, {.size = size(), .bold = tellsEnd, .anchor = Anchor::End}, m_shade);
    if (!isColoured) item.level = m_level;
    return width + 8;
}
void NodeWords::line(double y) const
{
    ProcessLabel label = m_label;
    if (m_node.below > 0 && !m_node.rest) label.times += " +" + formatGrouped(static_cast<std::int64_t>(m_node.below));
    label.name = m_node.rest ? label.name : printable(m_label.name) + label.times.substr(m_label.times.size());
    const double taken = putRight(y, Duration::Shown, textWidth(label.name, size(), {.bold = true}));
    const auto name = nameIn(label, room() - taken, size());
    put(m_left, y, name, {.size = size(), .bold = true});
    const double used = textWidth(name, size(), {.bold = true}) + 8;
    if (room() - taken - used > 4 * size()) putArguments(m_left + used, y, room() - taken - used);
}
void NodeWords::lines(double y, NodeDetail detail) const
{
    const double step = 1.45 * size(), nameSize = (detail == NodeDetail::Full ? 1.2 : 1.1) * size();
    const bool isFull = detail == NodeDetail::Full;
    // How long it ran gives way to the name, and has a line of its own then.
    const double nameWidth = textWidth(m_label.name, nameSize, {.bold = true});
    const bool isCut
        = nameWidth > room() - 8 - textWidth(m_label.duration, size()) && nameWidth <= room() && m_label.end.empty() && !m_node.rest;
    const double taken = putRight(y, isFull || isCut ? Duration::Hidden : Duration::Shown, nameWidth);
    put(m_left, y, nameIn(m_label, room() - taken, nameSize), {.size = nameSize, .bold = true});
    if (isFull) {
        putArguments(m_left, y + step, room());
        if (textWidth(m_label.facts, size()) <= room())
            putCut(m_left, y + 2 * step, m_label.facts, room(), {.size = size()});
        else
            putFacts(y + 2 * step, m_label.parts);
    } else if (isCut) {
        put(m_left, y + step, m_label.duration, {.size = size()});
    } else if (!m_label.telling.empty() && m_node.below == 0 && !m_node.rest) {
        putArguments(m_left, y + step, room());
    } else {
        auto facts = m_label.parts;
        if (m_node.rest) facts.push_back({m_label.arguments, m_label.arguments});
        const bool isSaid = taken > 0 && m_label.end.empty(); // at the right
        if (isSaid) std::erase_if(facts, [](const ProcessFact& fact) { return fact.isDuration; });
        putFacts(y + step, facts);
    }
}
} // namespace

void drawProcess(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, NodeText how, std::int64_t now,
    Privacy privacy, std::optional<Row> row, const Shared& shared, const std::string& inside)
{
    const auto& p = all[node.members.front()];
    const auto label = labelOf(all, node, now, privacy, shared);
    const bool known = !p.hasTimes || !label.duration.empty();
    const Shade shade = node.rest || !known ? Shade::Plain : shadeOfProcess(p);
    const double level = p.hasTimes && known ? levelOf(longestOf(all, node, now)) : -1;
    const auto [detail, size] = how;
    const double step = detail == NodeDetail::Line ? 2 : 4;

    // More sheets behind say that there is more than one, or more below.
    if (node.rest || node.members.size() > 1 || node.below > 0)
        for (const double off : {2 * step * page.lines(), step * page.lines()})
            page.box(Role::Node, {box.x + off, box.y + off, box.width, box.height, box.radius});
    Item& frame = page.box(Role::Node, box, shade);
    frame.level = level;
    frame.key = label.name;
    frame.tip = tipOf(all, node, label, privacy);
    frame.row = row;
    if (node.members.size() > 1)
        frame.data = {{"processes", std::to_string(node.members.size())}};
    else
        frame.data = {{"pid", std::to_string(p.pid)}};
    if (p.hasTimes) frame.data.emplace_back("duration-ns", std::to_string(node.duration));
    if (known && p.end && node.members.size() == 1) frame.data.emplace_back("status", std::to_string(p.status));

    if (!inside.empty()) frame.data.emplace_back("inside", inside);

    const NodeWords words(page, label, node, box, shade, level, size, (detail == NodeDetail::Line ? 0.6 : 0.8) * size);
    if (detail == NodeDetail::Line)
        words.line(box.y + box.height / 2 + 0.36 * size);
    else
        words.lines(box.y + (detail == NodeDetail::Full ? 1.6 : 1.35) * size, detail);
}
Item& drawSpan(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, std::int64_t now, Privacy privacy)
{
    const auto& p = all[node.members.front()];
    Item& bar = page.box(Role::Node, box, shadeOfProcess(p));
    bar.level = levelOf(longestOf(all, node, now));
    const auto label = labelOf(all, node, now, privacy);
    bar.key = label.name;
    bar.tip = tipOf(all, node, label, privacy);
    bar.data = {{"pid", std::to_string(p.pid)}, {"duration-ns", std::to_string(node.duration)}};
    return bar;
}
std::vector<LegendEntry> durationLegend(std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now)
{
    std::array<bool, kSteps.size()> occurs{};
    for (const auto i : shown)
        if (all[i].hasTimes) occurs[stepOf(all[i].duration(now))] = true;
    std::vector<LegendEntry> out;
    for (std::size_t i = 0; i < kSteps.size(); ++i)
        if (occurs[i]) out.push_back({Role::Node, Shade::Plain, static_cast<double>(i) / 5, stepName(i)});
    return out;
}
double drawDurations(Page& page, Point at, double width)
{
    const double size = page.smallest(), cell = std::min(4.6 * size, width / static_cast<double>(kSteps.size())), top = at.y + 0.8 * size;
    page.text(Role::Label, {at.x, at.y}, said("Duration, of the longest"), {.size = size * 1.08, .bold = true, .maxWidth = width});
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
        const double x = at.x + cell * static_cast<double>(i);
        page.box(Role::Node, {x, top, cell, 1.3 * size, 0}).level = static_cast<double>(i) / 5;
        page.text(Role::Note, {x, top + 2.6 * size}, stepEdge(i), {.size = size, .anchor = i == 0 ? Anchor::Start : Anchor::Middle});
    }
    return top + 2.8 * size;
}
void drawFindings(Page& page, Point at, double width, double bottom, const std::vector<std::string>& findings)
{
    if (findings.empty()) return;
    const double size = page.smallest(), step = 1.5 * size;
    double y = at.y + 1.6 * size;
    bool isFirst = true;
    for (const auto& finding : findings) {
        const auto lines = wrapped(finding, width - size, size, 3);
        if (y + step * static_cast<double>(lines.size() - 1) > bottom) break;
        if (isFirst) page.text(Role::Label, at, said("Findings"), {.size = size * 1.08, .bold = true});
        isFirst = false;
        page.text(Role::Label, {at.x, y}, "\u2022", {.size = size});
        for (const auto& line : lines) {
            page.text(Role::Label, {at.x + size, y}, line, {.size = size, .maxWidth = width - size});
            y += step;
        }
        y += 0.35 * size;
    }
}
} // namespace dscope::graph
