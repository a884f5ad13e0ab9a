#include "engine/text/bpf_frames.h"
#include "engine/record/folded.h"
#include "engine/text/function_names.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
namespace dscope::text {
namespace {
using Kind = record::Frame::Kind;
constexpr std::size_t kShortestAddress = 6, kAddress = 16, kBuildId = 40, kUserAddress = 12;

std::size_t hexadecimals(std::string_view s) { return std::min(s.find_first_not_of(kHexDigits), s.size()); }
/// Addresses of the kernel are in the upper half.
void place(BpfFrame& frame, std::string_view address)
{
    const bool isKernel = address.size() == kAddress && address.front() >= '8';
    if (isKernel) frame.kind = Kind::Kernel;
    frame.side = isKernel ? StackSide::Kernel : StackSide::User;
}
/// How long the address is that a line begins with, 0 without one. Where the blank behind it is missing (bpftrace 0.27 -f json) a name may
/// begin with letters that are digits, too: then an address of the kernel has 16 digits, and one of a program that is loaded anywhere 12.
std::size_t addressOf(std::string_view s)
{
    const auto digits = hexadecimals(s);
    if (digits < kShortestAddress) return 0;
    if (digits == s.size() || isBlank(s[digits])) return digits <= kAddress ? digits : 0;
    for (std::size_t n = kShortestAddress; n <= std::min(digits, kAddress); ++n) // an address without a name stands there twice
        if (s.substr(n, 2) == "0x" && s.substr(n + 2, n) == s.substr(0, n)) return n;
    if (s.starts_with("ffff") && digits >= kAddress) return kAddress;
    const bool isAnywhere = s.starts_with("7f") || s.starts_with("55") || s.starts_with("56");
    return isAnywhere && digits >= kUserAddress ? kUserAddress : std::min(digits, kAddress);
}
/// "f+12 (/lib/libc.so.6)": cuts the file off, and gives it without its directory.
std::string moduleOf(std::string_view& s)
{
    if (!s.ends_with(')')) return {};
    auto open = lastBrackets(s);
    if (open == std::string_view::npos) { // no blanks: the parenthesis stands behind an offset or an address
        open = s.rfind('(');
        if (open == std::string_view::npos || open == 0 || hexadecimals(s.substr(open - 1, 1)) == 0) return {};
        if (s.substr(0, open).find_last_of("+x") == std::string_view::npos) return {};
    }
    auto module = trimmed(s.substr(open));
    module = module.substr(1, module.size() - 2);
    if (!module.starts_with('/') && !module.starts_with('[')) return {}; // parameters
    s = trimmed(s.substr(0, open));
    if (module == "[unknown]") return {};
    module = withoutOffset(module); // "libc.so.6+0x1234", as bcc's libbpf-tools have it
    if (module.starts_with('/')) module.remove_prefix(module.rfind('/') + 1);
    return std::string(module);
}
/// "f+12", "f+0x1c".
std::string_view withoutPlace(std::string_view function)
{
    const auto plus = function.rfind('+');
    if (plus != std::string_view::npos && plus > 0 && isDigits(function.substr(plus + 1))) return function.substr(0, plus);
    return withoutOffset(function);
}
} // namespace

bool isRawFrame(std::string_view line)
{
    const auto digits = hexadecimals(line);
    if (digits == line.size()) return digits >= kShortestAddress && digits <= kAddress;
    return digits == kBuildId && trimmed(line.substr(digits)).starts_with("0x");
}

BpfFrame bpfFrame(std::string_view line)
{
    BpfFrame out;
    const bool isPerf = line.starts_with('\t');
    auto text = trimmed(line);
    if (isRawFrame(text)) {
        const auto digits = hexadecimals(text);
        out.name = digits == text.size() ? "0x" + std::string(text) : std::string(trimmed(text.substr(digits)));
        if (digits != text.size())
            out.module = text.substr(0, digits);
        else
            place(out, text);
        return out;
    }
    if (text.size() > kBuildId + 2 && hexadecimals(text) == kBuildId + 1 && text.substr(kBuildId, 2) == "0x") { // without the blank
        out.module = text.substr(0, kBuildId);
        out.name = text.substr(kBuildId);
        return out;
    }
    if (isPerf && text == "00([unknown])") text = "0 0 ([unknown])"; // address 0 without the blanks
    auto address = addressOf(text);
    if (const auto digits = hexadecimals(text); isPerf && address == 0 && digits > 0 && digits < text.size() && isBlank(text[digits]))
        address = digits; // the address ends the frame's first word, however short it is
    const bool hasBlank = address > 0 && address < text.size() && isBlank(text[address]);
    if (address > 0 && address < text.size() && (isPerf || hasBlank)) {
        place(out, text.substr(0, address));
        text = trimmed(text.substr(address));
        out.module = moduleOf(text);
    }
    out.name = withoutParameters(withoutPlace(text));
    if (out.name.empty()) out.name = text;
    if (text.starts_with("0x") && hexadecimals(text.substr(2)) == text.size() - 2) place(out, text.substr(2));
    return out;
}

std::string_view withoutBytes(std::string_view text)
{
    const bool isBytes = text.size() > 3 && (text.starts_with("b'") || text.starts_with("b\"")) && text.back() == text[1];
    return isBytes ? text.substr(2, text.size() - 3) : text;
}

BpfFrame bccFrame(std::string_view text, record::Frame::Kind kind)
{
    using FrameKind = record::Frame::Kind;
    text = withoutBytes(trimmed(text));
    if (text.starts_with('#'))
        if (const auto blank = text.find(' '); blank != std::string_view::npos) text = trimmed(text.substr(blank));
    std::string line(text);
    constexpr std::string_view kOpen = " [<"; // "3 [<ffffffff811c9f3b>] do_sys_open+0x1"
    if (const auto open = text.find(kOpen); open != std::string_view::npos && isDigits(text.substr(0, open))) {
        const auto close = text.find(">]", open);
        if (close != std::string_view::npos)
            line = "0x" + std::string(text.substr(open + kOpen.size(), close - open - kOpen.size())) + ' '
                + std::string(trimmed(text.substr(close + 2)));
    }
    text = line;
    for (const auto& [mark, marked] : {std::pair<std::string_view, FrameKind>{"_[k]", FrameKind::Kernel}, {"_[j]", FrameKind::Jit}})
        if (text.ends_with(mark)) {
            text.remove_suffix(mark.size());
            kind = marked;
        }
    const auto blank = text.find_first_of(kBlanks);
    if (text.starts_with("0x") && blank != std::string_view::npos && text.find_first_not_of(kHexDigits, 2) == blank) {
        line = std::string(text.substr(2, blank - 2)) + ' ' + std::string(trimmed(text.substr(blank)));
        text = line;
    }
    std::string module;
    if (const auto open = text.rfind(" ["); open != std::string_view::npos && text.ends_with(']')) { // "malloc [libc.so.6]"
        module = text.substr(open + 2, text.size() - open - 3);
        text = trimmed(text.substr(0, open));
    }
    auto frame = bpfFrame(text);
    if (frame.name == "<null sym>") frame.name = "[unknown]";
    if (!module.empty()) frame.module = module.substr(module.rfind('/') + 1);
    if (record::isKernelModule(frame.module)) frame.kind = FrameKind::Kernel;
    if (kind != FrameKind::Unknown) frame.kind = kind;
    return frame;
}

std::vector<std::uint32_t> numbersOf(const BpfFrame& frame, StackCounts& counts)
{
    std::vector<std::uint32_t> out;
    for (const auto& [method, descriptor] : javaMethods(frame.name))
        out.push_back(counts.numberOf({.name = method, .kind = frame.kind, .inlined = !out.empty(), .module = frame.module}, descriptor));
    return out;
}

StackSide outermostSide(std::string_view function)
{
    static constexpr std::array<std::string_view, 14> kKernel{"entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64",
        "entry_SYSCALL_compat_after_hwframe", "entry_INT80_compat", "ret_from_fork", "ret_from_fork_asm", "secondary_startup_64",
        "secondary_startup_64_no_verify", "common_startup_64", "el0t_64_sync", "el0t_64_irq", "el0_sync", "el1h_64_irq",
        "ret_fast_syscall"};
    static constexpr std::array<std::string_view, 7> kUser{
        "_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone", "clone3", "__clone3"};
    const auto isIn = [&](const auto& names) { return std::find(names.begin(), names.end(), function) != names.end(); };
    if (isIn(kKernel) || function.starts_with("asm_sysvec_") || function.starts_with("asm_exc_")) return StackSide::Kernel;
    return isIn(kUser) ? StackSide::User : StackSide::Unknown;
}
} // namespace dscope::text
