#include "engine/text/perf_frames.h"
#include "engine/text/function_names.h"
#include "engine/text/words.h"
#include <algorithm>
#include <utility>
namespace dscope::text::perf {
namespace {
using FrameKind = record::Frame::Kind;
constexpr auto kNowhere = std::string_view::npos;

/// The kernel writes this after the name of a deleted file. Source: linux/fs/d_path.c, __d_path()
constexpr std::string_view kGone = " (deleted)";
bool isObject(std::string_view text)
{
    return text == kInlined || text.starts_with('/') || text.starts_with('[') || text.find_first_of(" ,*&:<") == kNowhere;
}
std::optional<FrameLine> anyFrameOf(std::string_view line)
{
    const auto from = line.find_first_not_of(kBlanks);
    if (from == kNowhere) return {};
    const auto end = line.find_first_not_of(kHexDigits, from);
    if (end == from || (end != kNowhere && !isBlank(line[end]))) return {};
    const auto rest = trimmed(line.substr(std::min(end, line.size())));
    const auto address = line.substr(from, std::min(end, line.size()) - from);
    FrameLine frame{rest, {}, false, address};
    auto named = rest;
    if (!named.ends_with(')')) return frame;
    named.remove_suffix(1);
    if (named.ends_with(kGone)) named.remove_suffix(kGone.size());
    const auto open = named.starts_with('(') && named.find(" (") == kNowhere ? 0 : lastBrackets(rest);
    if (open == kNowhere) return frame;
    if (open + 2 > named.size()) return frame; // the brackets belong to the mark " (deleted)", not to a file
    const auto object = named.substr(open + (named[open] == ' ' ? 2 : 1));
    if (!isObject(object)) return frame;
    return FrameLine{withoutBlanksBehind(rest.substr(0, open)), object, true, address};
}
/// The same of a line as perf writes nearly all: "\t    7f722d142778 func+0x12 (/lib/libc.so.6)". Nothing: it may be a frame of another
/// kind.
std::optional<FrameLine> plainFrameOf(std::string_view line)
{
    const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    std::size_t at = 1, end = line.size();
    while (at < end && line[at] == ' ')
        ++at;
    const auto address = at;
    while (at < end && isHex(line[at]))
        ++at;
    if (at == address || at + 1 >= end || line[at] != ' ' || line[end - 1] != ')' || line[end - 2] == ')') return {};
    auto open = end - 1;
    while (open > at && line[open] != '(')
        --open;
    if (open < at + 2 || line[open - 1] != ' ' || (line[open + 1] != '/' && line[open + 1] != '[')) return {};
    return FrameLine{line.substr(at + 1, open - at - 2), line.substr(open + 1, end - open - 2), true, line.substr(address, at - address)};
}
/// "[kernel.kallsyms][ffffffff82265c92]", "libc.so.6[2724a]", ":0", "??:0": no line is known, and the object and the address stand there
/// instead. Source: linux/tools/perf/util/srcline.c, __get_srcline()
bool isUnknownSource(std::string_view line)
{
    if (line.ends_with(":0")) return true;
    const auto open = line.rfind('[');
    return open != kNowhere && open > 0 && line.ends_with(']') && isHexNumber(line.substr(open + 1, line.size() - open - 2));
}
std::string_view fileOf(std::string_view object)
{
    if (object.starts_with('[') || object.starts_with("//") || object.empty()) return {}; // [unknown], //anon
    return object.substr(object.rfind('/') + 1);
}

/// Whose code an object is. Source: perf-script(1) names modules of the kernel "[ext4]"; linux/tools/perf/util/map.c and dso.c for the
/// others.
FrameKind kindOf(std::string_view object)
{
    constexpr std::array<std::string_view, 8> kOfProcesses{
        "[unknown]", "[vdso", "[vsyscall]", "[vvar", "[heap]", "[stack", "[anon", "[uprobes]"};
    const auto name = object.substr(object.rfind('/') + 1);
    const auto isPart = [&](std::string_view begin, std::string_view end) { return name.starts_with(begin) && name.ends_with(end); };
    if (object.starts_with("[JIT") || isPart("perf-", ".map") || isPart("jitted-", ".so")) return FrameKind::Jit;
    if (std::any_of(kOfProcesses.begin(), kOfProcesses.end(), [&](auto begin) { return object.starts_with(begin); }))
        return FrameKind::Unknown;
    return object.starts_with('[') || object.ends_with("vmlinux") ? FrameKind::Kernel : FrameKind::Unknown;
}

/// Without what only makes two of one: the mark of a class of Java.
std::string tidied(const FunctionName& function, std::string_view printed, bool java)
{
    std::string out;
    const std::string_view name = function.name.empty() ? printed : std::string_view(function.name);
    out.reserve(name.size());
    for (const char c : name) {
        if (c == '>' && out.ends_with('.')) out.back() = '-'; // Rust's arrow, as perf reads rustc's legacy symbols
        out += c;
    }
    if (java && out.starts_with('L') && out.find('/') != std::string::npos) out.erase(0, 1);
    return out;
}
} // namespace

std::string_view withoutBranches(std::string_view line)
{
    line = line.substr(0, line.find(" => "));
    for (auto at = line.find(" 0x"); at != kNowhere; at = line.find(" 0x", at + 1)) {
        const auto slash = line.find_first_not_of(kHexDigits, at + 3);
        if (slash != kNowhere && line.substr(slash).starts_with("/0x")) return withoutBlanksBehind(line.substr(0, at));
    }
    return withoutBlanksBehind(line);
}

std::optional<FrameLine> frameOf(std::string_view line)
{
    const auto plain = line.starts_with('\t') ? plainFrameOf(line) : std::nullopt;
    return plain ? plain : anyFrameOf(line);
}

bool isSurelyFrame(std::string_view line)
{
    constexpr std::size_t kShort = 6; // letters of commands that are hexadecimal: "dd", "bad", "decade"
    const auto frame = frameOf(line);
    return frame && (frame->hasObject || trimmed(line).find_first_of(kBlanks) > kShort);
}

std::string_view moduleOf(std::string_view object) { return kindOf(object) == FrameKind::Unknown ? fileOf(object) : std::string_view(); }

std::optional<SourceLine> sourceOf(std::string_view line)
{
    line = trimmed(line);
    if (isUnknownSource(line)) return SourceLine{};
    const auto colon = line.rfind(':');
    if (colon == kNowhere || colon == 0) return {};
    const auto number = number32(line.substr(colon + 1));
    return number && *number > 0 ? std::optional(SourceLine{line.substr(0, colon), *number}) : std::nullopt;
}

bool FrameNames::readLine(std::string_view line, std::vector<Met>& out)
{
    const auto frame = frameOf(line);
    if (!frame || (frame->function.empty() && !frame->hasObject)) return false;
    out.push_back({of(wanted(*frame)), frame->object, frame->hasObject, frame->address});
    return true;
}

bool FrameNames::readBlock(std::string_view lines, std::vector<Met>& out)
{
    m_wanted.clear();
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        const auto frame = line.starts_with('\t') && !line.ends_with('\r') ? frameOf(line) : std::nullopt;
        if (!frame || (frame->function.empty() && !frame->hasObject)) return false;
        m_wanted.push_back(wanted(*frame));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    for (const auto& wanted : m_wanted)
        out.push_back({of(wanted), wanted.objectName, wanted.hasObject, wanted.address});
    return true;
}

/// What of() is asked for next: its memory is on the way meanwhile.
FrameNames::Wanted FrameNames::wanted(const FrameLine& line)
{
    Wanted out{withoutOffset(line.function), line.object, objectOf(line.object), line.hasObject, line.address};
    out.hash = hashOf(out.function) ^ out.object * std::uint64_t{0x9E3779B97F4A7C15};
    __builtin_prefetch(&m_slots[out.hash & (m_slots.size() - 1)]);
    return out;
}
std::uint32_t FrameNames::of(const Wanted& wanted)
{
    auto at = slotOf(wanted);
    if (m_slots[at].next == 0) {
        if (2 * (m_known.size() + 1) > m_slots.size()) {
            grow();
            at = slotOf(wanted);
        }
        m_known.push_back({m_texts.text(m_texts.of(wanted.function)), wanted.object});
        m_steps.push_back(read(wanted.function, wanted.objectName));
        m_slots[at] = {static_cast<std::uint32_t>(wanted.hash), static_cast<std::uint32_t>(m_known.size())};
    }
    return m_slots[at].next - 1;
}
FrameNames::Steps FrameNames::read(std::string_view function, std::string_view object) const
{
    constexpr NameHints kPlain{.offset = NameHints::Offset::None};
    if (object == kInlined) {
        const auto is = readFunctionName(function, kPlain);
        return {{tidied(is, function, m_java), FrameKind::Unknown, true, {}, std::string(is.descriptor)}};
    }
    if (function.starts_with('(') && function.find(')') == function.size() - 1) return {}; // the name of a process
    const auto kind = kindOf(object);
    const std::string module(moduleOf(object));
    if (function.empty() || function == "[unknown]") { // its name is that of its object
        const auto name = object.empty() || object == "[unknown]" ? std::string_view("unknown") : object.substr(object.rfind('/') + 1);
        return {{name.starts_with('[') ? std::string(name) : '[' + std::string(name) + ']', kind}};
    }
    Steps out;
    // In generated code of Java what was inlined into a method follows it.
    const bool isJava = kind == FrameKind::Jit || m_java;
    for (const auto& method : isJava ? readFunctionNames(function, kPlain) : std::vector{readFunctionName(function, kPlain)}) {
        const bool inlined = !out.empty();
        out.push_back({tidied(method, function, m_java), kind == FrameKind::Jit || !inlined ? kind : FrameKind::Unknown, inlined, module,
            std::string(method.descriptor)});
    }
    return out;
}
std::uint32_t FrameNames::objectOf(std::string_view object)
{
    constexpr std::size_t kTail = 8; // names of files differ at their end
    auto& recent = m_recent[hashOf(object.substr(object.size() - std::min(kTail, object.size()))) % m_recent.size()];
    if (recent.text.data() == nullptr || recent.text != object) {
        recent.number = m_objects.of(object);
        recent.text = m_objects.text(recent.number);
    }
    return recent.number;
}
/// Where a function is, or the free slot where it belongs.
std::size_t FrameNames::slotOf(const Wanted& wanted) const
{
    const auto mask = m_slots.size() - 1;
    for (auto at = wanted.hash & mask;; at = (at + 1) & mask) {
        const auto& slot = m_slots[at];
        if (slot.next == 0) return at;
        const auto& known = m_known[slot.next - 1];
        if (slot.hash == static_cast<std::uint32_t>(wanted.hash) && known.object == wanted.object && known.text == wanted.function)
            return at;
    }
}
void FrameNames::grow()
{
    const auto before = std::exchange(m_slots, std::vector<Slot>(2 * m_slots.size()));
    for (const auto& slot : before) {
        if (slot.next == 0) continue;
        auto at = slot.hash & (m_slots.size() - 1);
        while (m_slots[at].next != 0)
            at = (at + 1) & (m_slots.size() - 1);
        m_slots[at] = slot;
    }
}
} // namespace dscope::text::perf
